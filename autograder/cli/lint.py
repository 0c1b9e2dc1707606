"""Lint command: says what is not in order in an assignment, or in a results.json.

Part of `cli.main`, which defines the exit statuses. Slow modules are imported only when the command runs.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from autograder.cli.assignment_option import SETTING, find_root
from autograder.cli.process import FINE, PROBLEM_FOUND, add_json_option, report_errors, show_json
from autograder.plain_text import count

if TYPE_CHECKING:
    from autograder.gradescope.lint import Finding


@click.command()
@click.argument("path", type=click.Path(exists=True, path_type=Path), required=False)
@click.option("--points", type=float, metavar="POINTS", help="The points of the assignment's outline on Gradescope.")
@add_json_option
def lint(path: Path | None, points: float | None, as_json: bool) -> None:
    """Say what is not in order in PATH: the folder of an assignment, or a results.json of any grader.

    In a folder, by default that of the assignment around the current one: files that are missing, checks and mistakes
    that do not fit, a right solution that fails a check, a template that gets points; a question without known mistakes
    is a warning. In a results.json: whether
    Gradescope accepts it; each finding names its location, the value there and advice. The exit status is 1 if there is
    a problem, and 0 if there are no findings, or only notes.
    """
    chosen = path or Path(os.environ.get(SETTING) or find_root(Path.cwd()))
    sys.exit(_lint_assignment(chosen, as_json=as_json) if chosen.is_dir() else _lint_results(chosen, points, as_json))


def _lint_assignment(root: Path, *, as_json: bool) -> int:
    from autograder.questions.assignment_lint import find_problems, find_warnings

    with report_errors():
        problems = find_problems(root)
        warnings = [] if problems else find_warnings(root)
    if as_json:
        show_json(problems)
        return PROBLEM_FOUND if problems else FINE
    for line in (*problems, *(f"warning: {each}" for each in warnings)):
        click.echo(line)
    click.echo(f"{root}: {count(len(problems), 'problem') if problems else 'no problems'}")
    return PROBLEM_FOUND if problems else FINE


def _lint_results(file: Path, points: float | None, as_json: bool) -> int:
    from autograder.gradescope.lint import FILE_BYTES, lint_results

    try:
        with file.open("rb") as opened:
            findings = lint_results(opened.read(FILE_BYTES + 1), points=points)
    except OSError as error:
        raise click.FileError(str(file), error.strerror or "cannot be read") from error
    if as_json:
        show_json(findings)
        return _choose_status(findings)
    for finding in findings:
        click.echo(f"{finding.severity.value}: {finding.location}\n  found: {finding.found}\n  next:  {finding.advice}")
    errors = sum(finding.severity.value == "error" for finding in findings)
    click.echo(
        f"{file}: {count(errors, 'error')}; Gradescope rejects it" if errors else f"{file}: Gradescope accepts it"
    )
    return _choose_status(findings)


def _choose_status(findings: Sequence[Finding]) -> int:
    return PROBLEM_FOUND if any(finding.severity.value == "error" for finding in findings) else FINE
