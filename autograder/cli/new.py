"""New commands: write the files of a new question.

Part of `cli.main`, which defines the exit statuses. Slow modules are imported only when a command runs.
"""

from __future__ import annotations

from pathlib import Path

import click

from autograder.cli.assignment_option import add_assignment_option
from autograder.cli.process import OUR_FAULT, UNREADABLE, fail


@click.group()
def new() -> None:
    """Write the files of a new part of the assignment."""


@new.command()
@click.argument("stem")
@click.argument("signatures", metavar="SIGNATURE...", nargs=-1, required=True)
@click.option("--loss", "losses", metavar="NAME", multiple=True, help="This function returns a loss and its gradient.")
@click.option("--title", metavar="TEXT", default="", help="The title that students read.  [default: STEM in words]")
@click.option("--points", type=click.FloatRange(1), help="The question's points.  [default: 5 for each function]")
@add_assignment_option
def question(
    root: Path, stem: str, signatures: tuple[str, ...], losses: tuple[str, ...], title: str, points: float | None
) -> None:
    """Write the four files of the question STEM and its table in reference/assignment.toml.

    SIGNATURE is a function with the shapes of its arguments: 'cost(w: (D,), x: (N, D), rate: float)'. Each function
    gets an example in place of the right solution, a visible and a hidden check, and a mistake that they catch; each
    --loss a gradient check for its first argument. The exit status is 2 for a wrong name or signature, and nothing is
    written.
    """
    from autograder.assignment import AssignmentError, load_assignment
    from autograder.questions import NewQuestionError, QuestionRequest, make_question

    request = QuestionRequest(stem, signatures, losses, title, points or 0.0)
    try:
        paths = make_question(load_assignment(root), request)
    except NewQuestionError as error:
        fail(str(error), UNREADABLE)
    except AssignmentError as error:
        fail(f"nothing was written: {error}", OUR_FAULT)
    for path in paths:
        click.echo(f"written: {path}")
    click.echo(f"next: replace the example in reference/{stem}.py, then ./run_autograder matrix --only {stem}")
