"""New commands: write the files of a new assignment or question.

Part of `cli.main`, which defines the exit statuses. Slow modules are imported only when a command runs.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from autograder import cpu_count
from autograder.cli.assignment_option import add_assignment_option
from autograder.cli.process import FINE, PROBLEM_FOUND, fail, find_program, report_errors
from autograder.cli.progress import show_progress


@click.group()
def new() -> None:
    """Write the files of a new assignment, or of a new question.

    For example, in a new folder, from a right solution losses.py:

    \b
      autograder new assignment homework
      cd homework
      autograder new question losses --reference ../losses.py \\
          'softmax_loss(scores: (N, C), y: (N,) < C) -> loss: float, grad: (N, C)'

    The signature says all that the checks rest on; contracts are for numpy, and checks of PyTorch modules are written
    by hand.
    """


@new.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
def assignment(folder: Path) -> None:
    """Write a small assignment into DIR, a new or empty folder.

    It grades at once: a question with a gradient check, one with a class, and one of written answers, each with its
    right solution, the file for students, checks, known mistakes, and a right and a wrong example. DIR/README.md is the
    first page to read. The exit status is 2 if DIR cannot be used.
    """
    from autograder.questions.new_assignment import make_assignment

    with report_errors():
        paths = make_assignment(folder)
    for path in paths:
        click.echo(f"written: {folder / path}")
    right = folder / "examples" / "right"
    click.echo(f"next: read {folder / 'README.md'}, then: {find_program()} grade {right} --assignment {folder}")


@new.command()
@click.argument("stem", metavar="ID")
@click.argument("signatures", metavar="SIGNATURE...", nargs=-1)
@click.option(
    "--reference",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The right solution, in numpy alone.",
)
@click.option(
    "--signatures",
    "listed",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A file with one SIGNATURE a line.",
)
@click.option("--title", metavar="TEXT", default="", help="The title that students read.  [default: ID in words]")
@click.option("--points", type=click.FloatRange(1), help="The question's points.  [default: 5 for each function]")
@add_assignment_option
def question(
    root: Path,
    stem: str,
    signatures: tuple[str, ...],
    reference: Path | None,
    listed: Path | None,
    title: str,
    points: float | None,
) -> None:
    """Write the four files of the question ID and its table in reference/assignment.toml.

    SIGNATURE says what a function takes and returns, for example 'scale(x: (N, D), rate: float > 0 = 1.0) -> out';
    docs/contracts.md has the language. With --reference, the solution becomes reference/ID.py as it is, and the
    students' file keeps its signatures and docstrings. Each function gets its contract, its rows and first known
    mistakes. Where no SIGNATURE is given, annotations such as Float[Array, "N D"] are read. Then the solution is
    graded, and 200 wrong functions are generated and judged: those that lose no points are shown, each with an input.

    Without --reference an example stands in place of the solution. The exit status is 2 for a wrong name or signature,
    and nothing is written; it is 1 if the solution loses points, or a wrong function does not.
    """
    from autograder.assignment import load_assignment
    from autograder.questions.new_question import QuestionRequest, make_question

    texts = (*signatures, *(_read_lines(listed) if listed is not None else ()))
    if not texts and reference is None:
        raise click.UsageError("give a SIGNATURE, --signatures FILE or --reference FILE")
    request = QuestionRequest(stem, texts, reference, title, points or 0.0)
    with report_errors("nothing was written"):
        paths = make_question(load_assignment(root), request)
    for path in paths:
        click.echo(f"written: {path}")
    if reference is None:
        click.echo(f"next: replace the example in reference/{stem}.py, then: {find_program()} matrix --only {stem}")
    else:
        sys.exit(_show_strength(root, stem))


def _read_lines(file: Path) -> tuple[str, ...]:
    """Read the lines of a file that are neither empty nor comments."""
    lines = (line.strip() for line in file.read_text(encoding="utf-8").splitlines())
    return tuple(line for line in lines if line and not line.startswith("#"))


def _show_strength(root: Path, stem: str) -> int:
    """Grade the right solution, judge generated wrong functions, and show both; return the exit status."""
    from autograder.assignment import load_assignment
    from autograder.matrix import adequacy_text, run_generated
    from autograder.questions.right_solution import RightSolutionError, require_right_solution

    assignment, cores = load_assignment(root), cpu_count.count_whole()
    with report_errors(), show_progress() as show:
        try:
            require_right_solution(assignment, only=[stem], at_once=cores)
        except RightSolutionError as error:
            fail(str(error), PROBLEM_FOUND)
        report = run_generated(assignment, only=[stem], seed=1, sample=_SAMPLE, processes=cores, report_progress=show)
    click.echo("graded: the right solution has all points")
    click.echo(adequacy_text.render_strength(report))
    return FINE if report.is_adequate else PROBLEM_FOUND


_SAMPLE = 200  # wrong functions
