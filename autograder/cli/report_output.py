"""Report output: shows the report on one submission as a table, as JSON, or what students see of it at once.

Part of `cli.main`. Slow modules are imported only when there is a report.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from autograder.cli.process import WIDTH_OF_FILES, is_plain_output, show_text

if TYPE_CHECKING:
    from autograder.cli.console import Display
    from autograder.gradescope.schema import Results
    from autograder.results import Report

    Show = Callable[[Report, Path], None]  # the path is that of results.json


def add_exit_status_option(command: Any) -> Any:
    """Add the option --exit-status."""
    text = "Print what students see at once, and end with 1 unless all points are reached."
    return click.option("--exit-status", "tells_status", is_flag=True, help=text)(command)


def choose(*, as_json: bool, tells_status: bool) -> Show:
    """Return the function that shows a report as the options say; a usage error for both."""
    if as_json and tells_status:
        raise click.UsageError("--json prints all checks, --exit-status only those that students see; leave one out")
    if tells_status:
        return _show_to_student
    return _show_json if as_json else show_table


def show_table(report: Report, path: Path) -> None:
    """Show the report for staff, and where results.json is."""
    show_report(report, f"written to {path}")


def show_report(report: Report, last_line: str) -> None:
    """Show the report for staff, and a last line."""
    from autograder.cli.console import build_display, render_plain

    content = build_display(report)
    text = render_plain(content, WIDTH_OF_FILES) if is_plain_output() else None
    if text is None:
        text = _render_with_rich(content)
    show_text(f"{text}{last_line}\n")


def has_all_points(path: Path) -> bool:
    """Whether all checks in a results.json have all of their points."""
    from autograder.platforms import has_all_points

    return has_all_points(_read(path))


def _show_json(_report: Report, path: Path) -> None:
    show_text(path.read_text(encoding="ascii"))


def _show_to_student(_report: Report, path: Path) -> None:
    from autograder.platforms import describe_for_student

    show_text(describe_for_student(_read(path)))


def _read(path: Path) -> Results:
    from autograder.gradescope.results_file import read_results_json

    return read_results_json(path.read_bytes())


def _render_with_rich(content: Display) -> str:
    from rich.console import Console

    from autograder.cli.rich_console import render

    console = Console(markup=False, emoji=False, highlight=False)
    with console.capture() as captured:  # rich itself would end the process if the pipe is closed
        console.print(render(content), crop=False)  # lines to paste may be wider
    return captured.get()
