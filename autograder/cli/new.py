"""New commands: write the files of a new assignment or question.

Part of `cli.main`, which defines the exit statuses. Slow modules are imported only when a command runs.
"""

from __future__ import annotations

from pathlib import Path

import click

from autograder.cli.assignment_option import add_assignment_option
from autograder.cli.process import OUR_FAULT, UNREADABLE, fail, find_program


@click.group()
def new() -> None:
    """Write the files of a new assignment, or of a new question."""


@new.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
def assignment(folder: Path) -> None:
    """Write a small assignment into DIR, a new or empty folder.

    It grades at once: a question with a gradient check, one with a class, and one of written answers, each with its
    right solution, the file for students, checks, known mistakes, and a right and a wrong example. DIR/README.md is the
    first page to read. The exit status is 2 if DIR cannot be used.
    """
    from autograder.questions import NewAssignmentError, make_assignment

    try:
        paths = make_assignment(folder)
    except NewAssignmentError as error:
        fail(str(error), UNREADABLE)
    for path in paths:
        click.echo(f"written: {folder / path}")
    right = folder / "examples" / "right"
    click.echo(f"next: read {folder / 'README.md'}, then: {find_program()} grade {right} --assignment {folder}")


@new.command()
@click.argument("stem", metavar="ID")
@click.argument("signatures", metavar="SIGNATURE...", nargs=-1, required=True)
@click.option("--loss", "losses", metavar="NAME", multiple=True, help="This function returns a loss and its gradient.")
@click.option("--title", metavar="TEXT", default="", help="The title that students read.  [default: ID in words]")
@click.option("--points", type=click.FloatRange(1), help="The question's points.  [default: 5 for each function]")
@add_assignment_option
def question(
    root: Path, stem: str, signatures: tuple[str, ...], losses: tuple[str, ...], title: str, points: float | None
) -> None:
    """Write the four files of the question ID and its table in reference/assignment.toml.

    SIGNATURE is a function with the shapes of its arguments: 'cost(w: (D,), x: (N, D), rate: float)'. Each function
    gets an example in place of the right solution, a visible and a hidden check, and a mistake that they catch; each
    --loss such checks of the loss and of the gradient of its first argument, and a gradient check. The exit status is 2
    for a wrong name or signature, and nothing is written.
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
    click.echo(f"next: replace the example in reference/{stem}.py, then: {find_program()} matrix --only {stem}")
