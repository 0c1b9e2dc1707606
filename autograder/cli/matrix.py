"""Matrix command: shows which hidden test catches which known mistake, for the work on questions.

Part of `cli.main`, which defines the exit statuses; 1 means that there are problems. Slow modules are imported only
when a command runs.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from autograder import cpu_count
from autograder.cli.assignment_option import add_assignment_option
from autograder.cli.process import (
    FINE,
    PROBLEM_FOUND,
    add_json_option,
    parse_names,
    report_errors,
    show_json,
)
from autograder.cli.progress import show_progress

if TYPE_CHECKING:
    from autograder.assignment import Assignment


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
@click.option("--generate", is_flag=True, help="Judge the hidden tests by mutants of the references instead.")
@click.option("--seed", default=1, show_default=True, help="With --generate: the seed of the cases and of a sample.")
@click.option("--sample", type=click.IntRange(min=1), help="With --generate: so many wrong mutants, not all.")
@click.option("--kinds", is_flag=True, help="With --generate: also name the kinds of input that no mutant needs.")
@add_assignment_option
@add_json_option
def matrix(
    root: Path, only: str, html: Path, generate: bool, seed: int, sample: int | None, kinds: bool, as_json: bool
) -> None:
    """Show which hidden test catches which known mistake, and which mistakes no test catches.

    Grades every mistake of tests/mistakes as a submission, on all cores. The exit status is 1 if a mistake loses no
    points or breaks other parts than it names, if a test catches nothing, or if the right solution fails a test.

    With --generate it makes mutants of the references, judges each by random cases of its contract, and lists those
    that are wrong and pass every hidden test with points, each with an input that shows it. The exit status is 1 if
    there is one that tests/mistakes/excused.toml does not excuse. With --kinds it leaves out one kind of input of the
    contracts after the other, and names those without which no mutant survives, with the calls that they cost.
    """
    if generate:
        if as_json:
            raise click.UsageError("--json shows the bank of known mistakes; leave out --generate")
        sys.exit(_judge_mutants(root, parse_names(only), seed, sample, drops_kinds=kinds))
    if not os.access(html.absolute().parent, os.W_OK):  # fail now, not after a minute of work
        raise click.BadParameter(f"cannot write to {html.absolute().parent}", param_hint="--html")
    sys.exit(_show_bank(root, parse_names(only), html, as_json=as_json))


def _show_bank(root: Path, stems: Sequence[str], html: Path, *, as_json: bool) -> int:
    from autograder.matrix import is_exact, run_bank, text

    with report_errors(), show_progress() as show:
        assignment = _load_assignment(root)
        cores = cpu_count.count_whole()
        questions = run_bank(assignment, only=stems or None, processes=cores, report_progress=show)
    html.write_text(text.render_page(questions, title=assignment.title), encoding="utf-8")
    if as_json:
        show_json(questions)
    else:
        click.echo(f"{text.render(questions)}\nwritten to {html}")
    return FINE if is_exact(questions) else PROBLEM_FOUND


def _judge_mutants(root: Path, stems: Sequence[str], seed: int, sample: int | None, *, drops_kinds: bool) -> int:
    from autograder.matrix import adequacy_text, run_generated

    with report_errors(), _require_test_tools(), show_progress() as show:
        report = run_generated(
            _load_assignment(root),
            only=stems or None,
            seed=seed,
            sample=sample,
            drops_kinds=drops_kinds,
            processes=cpu_count.count_whole(),
            report_progress=show,
        )
    click.echo(adequacy_text.render(report))
    return FINE if report.is_adequate else PROBLEM_FOUND


def _load_assignment(root: Path) -> Assignment:
    """Load an assignment; AssignmentError if a file of a question is missing, too."""
    from autograder.assignment import load_assignment

    assignment = load_assignment(root)
    assignment.require_question_files()
    return assignment


@contextmanager
def _require_test_tools() -> Iterator[None]:
    try:
        yield
    except ModuleNotFoundError as error:
        raise click.UsageError(
            f"--generate needs the tools of the self-tests: `selftest` in a clone installs them ({error})"
        ) from error
