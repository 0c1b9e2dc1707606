"""Right solution: grades the staff's own solution before a command builds or grades anything for students.

Part of `cli.main`, which defines the exit statuses. Slow modules are imported only when a command runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from autograder import cpu_count
from autograder.cli.process import Command, tell

if TYPE_CHECKING:
    from autograder.assignment import Assignment

OVERRIDE = "--force leaves this test out"


def add_force_option(command: Command) -> Command:
    """Add the option that goes on although the right solution fails checks."""
    added = click.option("--force", "is_forced", is_flag=True, help="Go on if the right solution fails a check.")
    return added(command)


def check_right_solution(
    assignment: Assignment, *, is_forced: bool, only: Sequence[str] = (), memory: Path | None = None
) -> None:
    """Grade the right solution; raise RightSolutionError or SandboxError, or warn of them if `is_forced`."""
    from autograder.questions import RightSolutionError, require_right_solution
    from autograder.sandbox.host.launcher import SandboxError

    try:
        require_right_solution(assignment, only=only, memory=memory, at_once=cpu_count.count_whole())
    except (RightSolutionError, SandboxError) as error:
        if not is_forced:
            raise type(error)(f"{error}\n{OVERRIDE}") from error
        tell(f"warning: {error}")
