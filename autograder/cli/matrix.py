"""Matrix command: shows which hidden test catches which known mistake, for the work on questions.

Part of `cli.main`, which defines the exit statuses; 1 means that there are problems. Slow modules are imported only
when a command runs.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from autograder import PROJECT, cpu_count
from autograder.cli.process import FINE, OUR_FAULT, PROBLEM_FOUND, fail, parse_stems


@click.command()
@click.option("--only", metavar="IDS", default="", help="Only these questions, separated by commas.")
@click.option(
    "--html",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("matrix.html"),
    show_default=True,
    help="The page to write.",
)
def matrix(only: str, html: Path) -> None:
    """Show which hidden test catches which known mistake, and which mistakes no test catches.

    Grades every mistake of tests/mistakes as a submission, on all cores. The exit status is 1 if a mistake loses no
    points or fails other tests than it names, if a test catches nothing, or if the right solution fails a test.
    """
    from autograder.assignment import AssignmentError, load_assignment
    from autograder.grading.hidden_test import HiddenTestError
    from autograder.matrix import BankError, is_exact, page, run_bank, text
    from autograder.sandbox.host.client import SandboxError
    from autograder.submission import SubmissionError

    if not os.access(html.absolute().parent, os.W_OK):  # fail now, not after a minute of work
        raise click.BadParameter(f"cannot write to {html.absolute().parent}", param_hint="--html")
    stems = parse_stems(only)
    try:
        assignment = load_assignment(PROJECT)
        questions = run_bank(assignment, project=PROJECT, only=stems or None, processes=cpu_count.count_whole())
    except SubmissionError as error:
        raise click.BadParameter(str(error), param_hint="--only") from error
    except (AssignmentError, HiddenTestError, SandboxError, BankError) as error:
        fail(str(error), OUR_FAULT)
    click.echo(text.render(questions))
    html.write_text(page.render(questions, title=assignment.title), encoding="utf-8")
    click.echo(f"written to {html}")
    sys.exit(FINE if is_exact(questions) else PROBLEM_FOUND)
