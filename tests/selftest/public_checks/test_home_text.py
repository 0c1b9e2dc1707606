"""The text of check.py, where a run of the handout does not show it."""

from typing import Any

import pytest

from autograder.public_checks.home_text import QuestionLines, write_end, write_start

pytestmark = pytest.mark.slow

PASSED = {
    "number": "1.1",
    "title": "cost: a batch",
    "functions": ["cost"],
    "points": 2.0,
    "state": "passed",
    "share": 1.0,
    "text": "Passed.",
    "printed": "",
    "notes": [],
    "is_of_file": False,
}
ADVICE = PASSED | {
    "number": "1.2",
    "title": "cost: no warning",
    "points": 0,
    "state": "failed",
    "share": 0.0,
    "text": "FAIL cost\n  found:    a RuntimeWarning",
}


def write(*results: dict[str, Any]) -> list[str]:
    return QuestionLines(is_coloured=False).write_function("cost", results).splitlines()


def test_a_right_function_with_advice_passes_and_shows_the_advice_alone() -> None:
    assert write(PASSED, ADVICE) == [
        "  PASS cost (2 checks, 2 points)",
        "    NOTE 1.2 no warning (advice, no points)",
        "      ADVICE, without points: cost",
        "        found:    a RuntimeWarning",
    ]


FAILED = PASSED | {"state": "failed", "share": 0.0, "path": "loss.py"}
OPEN = FAILED | {"functions": ["slope"], "state": "open"}


@pytest.mark.parametrize(
    ("results", "told"),
    [
        ([FAILED, OPEN], "Start with cost in loss.py. Functions that call it may fail for that reason alone.\n"),
        ([OPEN, OPEN | {"functions": ["fit"]}], "Start with slope in loss.py.\n"),
        ([FAILED | {"is_of_file": True}, OPEN], "Start with loss.py: it could not be loaded.\n"),
        ([FAILED], ""),
    ],
)
def test_what_to_look_at_first(results: list[dict[str, Any]], told: str) -> None:
    assert write_start(results) == told


def test_advice_alone_is_a_note() -> None:
    assert write(ADVICE)[0] == "  NOTE cost (0 of 0 points)"


@pytest.mark.parametrize(
    ("status", "told"),
    [
        (3, "the process ended itself with exit status 3"),
        (-11, "the process was ended by SIGSEGV"),
        (0xC00000FD, "the process was ended by Windows with the status C00000FD"),
    ],
)
def test_a_process_that_ended_says_by_what(status: int, told: str) -> None:
    assert f"It ended the whole Python process ({told})." in write_end(status, "")
