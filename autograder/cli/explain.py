"""Explain command: shows staff how one check judged one submission.

Part of `cli.main`, which defines the exit statuses. Slow modules are imported only when the command runs.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from autograder.cli.assignment_option import add_assignment_option, refuse_assignment_of
from autograder.cli.process import (
    FINE,
    NOTHING_GRADED,
    OUR_FAULT,
    find_layer_cache,
    report_errors,
    show_text,
    treat_signals_as_interrupts,
)


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.argument("check")
@add_assignment_option
def explain(path: Path, check: str, root: Path) -> None:
    """Explain to staff how the submission PATH ended in one check, by its number (1.8) or name.

    Shows the inputs, the right values and the student's, the known mistake and what it rests on, and lines to run. For
    staff only: hidden inputs and right values are in it. Writes no results.json. The exit status is 0 whatever the
    verdict, 2 if the submission cannot be read or CHECK is not one check, and 3 if the grader failed.
    """
    refuse_assignment_of(path, root)
    with report_errors(NOTHING_GRADED), treat_signals_as_interrupts():
        from autograder import explanation
        from autograder.results import Verdict

        made = explanation.explain(root, path, check, layer_cache=find_layer_cache())
    show_text(explanation.write_explanation(made))
    sys.exit(OUR_FAULT if made.check.verdict is Verdict.UNDECIDED else FINE)
