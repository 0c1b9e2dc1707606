"""Question commands: write the files of a new assignment or question, and show which hidden test catches which mistake.

Part of `cli.main`, which defines the exit statuses; 1 means that there are problems. Slow modules are imported only
when a command runs.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from autograder.cli import options
from autograder.cli.process import (
    FINE,
    PROBLEM_FOUND,
    fail,
    find_program,
    report_errors,
    show_line,
    show_progress,
    tell,
)

if TYPE_CHECKING:
    from autograder.assignment import Assignment

_SEED = 1  # of the cases of --generate, and of a sample
_SAMPLE = 200  # wrong functions that judge a new question
_SOURCE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.option("--only", metavar="IDS", default="", help="Only these questions, separated by commas.")
@click.option(
    "--html", metavar="FILE", type=options.FILE, default="matrix.html", show_default=True, help="The page to write."
)
@click.option("--generate", is_flag=True, help="Judge the hidden tests by mutants of the references instead.")
@options.add_assignment_option
def matrix(root: Path, only: str, html: Path, generate: bool) -> None:
    """Show which hidden test catches which known mistake, and which mistakes no test catches.

    Grades every mistake of tests/mistakes as a submission, on all cores. The exit status is 1 if a mistake loses no
    points, if a test catches nothing, or if the right solution fails a test.

    With --generate it makes mutants of the references, judges each by random cases of its contract, and lists those
    that are wrong and pass every hidden test with points, each with an input that shows it. The exit status is 1 if
    there is one.
    """
    if generate:
        sys.exit(_judge_mutants(root, options.parse_names(only)))
    if not os.access(html.absolute().parent, os.W_OK):  # fail now, not after a minute of work
        raise click.BadParameter(f"cannot write to {html.absolute().parent}", param_hint="--html")
    sys.exit(_show_bank(root, options.parse_names(only), html))


def _show_bank(root: Path, question_ids: Sequence[str], html: Path) -> int:
    from autograder.matrix.catches import is_exact, render, render_page, run_bank

    with show_progress() as show:
        assignment = _load_complete(root)
        questions = run_bank(assignment, only=question_ids or None, report_progress=show)
    html.write_text(render_page(questions, title=assignment.title), encoding="utf-8")
    show_line(f"{render(questions)}\nwritten to {html}")
    return FINE if is_exact(questions) else PROBLEM_FOUND


def _judge_mutants(root: Path, question_ids: Sequence[str]) -> int:
    from autograder.matrix.adequacy import list_problems, render_adequacy, run_generated

    try:
        with show_progress() as show:
            assignment = _load_complete(root)
            functions = run_generated(
                assignment, only=question_ids or None, seed=_SEED, sample=None, report_progress=show
            )
    except ModuleNotFoundError as error:
        raise click.UsageError(
            f"--generate needs the tools of the self-tests: `selftest` in a clone installs them ({error})"
        ) from error
    show_line(render_adequacy(functions))
    return PROBLEM_FOUND if list_problems(functions) else FINE


def _load_complete(root: Path) -> Assignment:
    """Load an assignment; AssignmentError if a file of a question is missing, too."""
    from autograder.assignment import load_assignment

    assignment = load_assignment(root)
    assignment.require_question_files()
    return assignment


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
@click.argument("folder", metavar="DIR", type=options.PATH)
def assignment(folder: Path) -> None:
    """Write a small assignment into DIR, a new or empty folder.

    It grades at once: a question with a gradient check, one with a class, and one of written answers, each with its
    right solution, the file for students, checks, known mistakes, and a right and a wrong example. DIR/README.md is the
    first page to read. The exit status is 2 if DIR cannot be used.
    """
    from autograder.questions.new_files import make_assignment

    paths = make_assignment(folder)
    for path in paths:
        show_line(f"written: {folder / path}")
    right = folder / "examples" / "right"
    command = shlex.join([find_program(), "grade", str(right), "--assignment", str(folder)])
    show_line(f"next: read {folder / 'README.md'}, then: {command}")


@new.command()
@click.argument("question_id", metavar="ID")
@click.argument("signatures", metavar="SIGNATURE...", nargs=-1)
@click.option("--reference", metavar="FILE", type=_SOURCE, required=True, help="The right solution, in numpy alone.")
@click.option("--signatures", "listed", metavar="FILE", type=_SOURCE, help="A file with one SIGNATURE a line.")
@click.option("--title", metavar="TEXT", default="", help="The title that students read.  [default: ID in words]")
@click.option("--points", type=click.FloatRange(1), help="The question's points.  [default: 5 for each function]")
@options.add_assignment_option
def question(
    root: Path,
    question_id: str,
    signatures: tuple[str, ...],
    reference: Path,
    listed: Path | None,
    title: str,
    points: float | None,
) -> None:
    """Write the four files of the question ID and its table in reference/assignment.toml.

    SIGNATURE says what a function takes and returns, for example 'scale(x: (N, D), rate: float > 0 = 1.0) -> out';
    docs/contracts.md has the language. The right solution becomes reference/ID.py as it is, and the students' file
    keeps its signatures and docstrings. Each function gets its contract, its rows and first known mistakes. Then the
    solution is graded, and 200 wrong functions are generated and judged: those that lose no points are shown, each
    with an input.

    The exit status is 2 if nothing can be written; it is 1 if a function is left out, if the solution loses points, or
    a wrong function does not.
    """
    from autograder.assignment import load_assignment
    from autograder.questions.new_files import QuestionRequest, make_question

    texts = (*signatures, *(_read_lines(listed) if listed is not None else ()))
    if not texts:
        raise click.UsageError("give a SIGNATURE, such as 'f(x: (N, D)) -> out', or --signatures FILE")
    request = QuestionRequest(question_id, texts, reference, title, points or 0.0)
    with report_errors("nothing was written"):
        made = make_question(load_assignment(root), request)
    for path in made.paths:
        show_line(f"written: {path}")
    for reason in made.refused.values():
        tell(f"left out: {reason}")
    show_line("\n".join(made.drawn))
    status = _show_strength(root, question_id)
    sys.exit(PROBLEM_FOUND if made.refused else status)


def _read_lines(file: Path) -> tuple[str, ...]:
    """Read the lines of a file that are neither empty nor comments."""
    lines = map(str.strip, file.read_text(encoding="utf-8").splitlines())
    return tuple(line for line in lines if line and not line.startswith("#"))


def _show_strength(root: Path, question_id: str) -> int:
    """Grade the right solution, judge generated wrong functions, and show both; return the exit status."""
    from autograder.assignment import load_assignment
    from autograder.matrix.adequacy import list_problems, render_strength, run_generated
    from autograder.questions.right_solution import RightSolutionError, require_right_solution

    assignment = load_assignment(root)
    with show_progress() as show:
        try:
            require_right_solution(assignment, only=[question_id])
        except RightSolutionError as error:
            fail(str(error), PROBLEM_FOUND)
        functions = run_generated(assignment, only=[question_id], seed=_SEED, sample=_SAMPLE, report_progress=show)
    show_line("graded: the right solution has all points")
    show_line(render_strength(functions))
    return PROBLEM_FOUND if list_problems(functions) else FINE
