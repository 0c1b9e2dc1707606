"""Pasted lines: runs the lines of a failed check in this process, beside the text of a submission.

For texts of this project only, such as a known mistake: no sandbox is around them.
"""

import sys
import warnings
from collections.abc import Sequence
from types import ModuleType

import pytest

from autograder.grading.explain import PRINTED, REPRODUCER
from autograder.results import CheckResult


def read_lines(check: CheckResult) -> str:
    """Return what a student pastes; empty where the check shows no lines."""
    return take_lines(check.output)


def take_lines(output: str) -> str:
    """Return the lines to run of a check's output."""
    return output.partition(f"{REPRODUCER}\n")[2].partition(f"\n{PRINTED}")[0]


def run_lines(lines: Sequence[str], question_id: str, source: str) -> list[list[str]]:
    """Return, for the lines of each check, what they print, warn of and raise beside a question's file."""
    module = ModuleType(question_id)
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings(record=True):
        patch.setitem(sys.modules, question_id, module)
        exec(compile(source, f"{question_id}.py", "exec"), vars(module))
        return [_run(each) for each in lines]


def _run(text: str) -> list[str]:
    shown: list[str] = []
    names = {"print": lambda *values: shown.append(repr(values)), "__name__": "pasted"}
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            exec(compile(text, "pasted.py", "exec"), names)
        except Exception as error:  # noqa: BLE001  (a mistake may raise anything)
            shown.append(type(error).__name__)
    return [*shown, *sorted({each.category.__name__ for each in warned})]
