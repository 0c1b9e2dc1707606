"""Command line for the work on questions: which hidden test catches which known mistake.

Part of `cli`, which says what the exit statuses mean; here 1 is "not as it should be". The work is imported where it
is used.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from autograder import PROJECT, cpu_count
from autograder.cli.process import FINE, NOT_AS_IT_SHOULD_BE, OUR_FAULT, fail, stems_of


@click.command()
@click.option("--only", metavar="STEMS", default="", help="These questions only; commas between them.")
@click.option(
    "--html",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("matrix.html"),
    show_default=True,
    help="The page to write.",
)
def matrix(only: str, html: Path) -> None:
    """Say which hidden test catches which known mistake, and which mistake none.

    Grades every mistake of tests/mistakes as a submission, on all cores. The exit status is 1 where a mistake loses
    nothing or fails other tests than it names, where a test catches nothing, or where the right solution fails one.
    """
    from autograder.assignment import AssignmentError, load_assignment
    from autograder.grading.hidden_test import HiddenTestError
    from autograder.matrix import BankError, is_exact, page, run_bank, text
    from autograder.sandbox.host.client import SandboxError
    from autograder.submission import SubmissionError

    if not os.access(html.absolute().parent, os.W_OK):  # better now than after a minute of work
        raise click.BadParameter(f"cannot write to {html.absolute().parent}", param_hint="--html")
    stems = stems_of(only)
    try:
        assignment = load_assignment(PROJECT)
        questions = run_bank(assignment, project=PROJECT, only=stems or None, processes=cpu_count.whole())
    except SubmissionError as error:
        raise click.BadParameter(str(error), param_hint="--only") from error
    except (AssignmentError, HiddenTestError, SandboxError, BankError) as error:
        fail(str(error), OUR_FAULT)
    click.echo(text.render(questions))
    html.write_text(page.render(questions, title=assignment.title), encoding="utf-8")
    click.echo(f"written to {html}")
    sys.exit(FINE if is_exact(questions) else NOT_AS_IT_SHOULD_BE)
