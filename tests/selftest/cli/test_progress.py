"""The progress of a long run: each line of a log has a total and an estimate, and there is one each half minute."""

import time
from typing import Any

import pytest

from autograder.cli.process import show_progress

TWO, THREE = {"names": ["ann"]}, {"names": ["ann", "b" * 40, "cy"]}
# What is shown after so many seconds, and the lines of the log.
LOGS = {
    "a line each half minute": (
        [(10, (1, 12), {}), (19, (2, 12), {}), (2, (3, 12), {}), (20, (4, 12), {}), (20, (5, 12), {})],
        ["3 of 12, 0.10 a second, about 93 s left", "5 of 12, 0.07 a second, about 99 s left"],
    ),
    "minutes": (
        [(100, (10, 100), {}), (900, (100, 100), {})],
        ["10 of 100, 0.10 a second, about 15 minutes left", "100 of 100, 0.10 a second"],
    ),
    "names": (
        [(40, (1, 1), TWO), (40, (1, 1), THREE)],
        ["1 of 1, 0.03 a second; ann", f"1 of 1, 0.01 a second; ann, {'b' * 29}… and 1 more"],
    ),
    "parts that took no time": (
        [(100, (60, 61), {"kept": 50}), (100, (50, 61), {"kept": 50})],
        ["60 of 61, 0.10 a second, about 10 s left", "50 of 61, 0.00 a second"],
    ),
}


@pytest.mark.parametrize(("steps", "lines"), LOGS.values(), ids=LOGS)
def test_a_log_says_what_is_done_and_how_long_the_rest_takes(
    steps: Any, lines: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    with show_progress() as show:
        for seconds, counts, more in steps:
            now[0] += seconds
            show(*counts, **more)
    told = capsys.readouterr().err.splitlines()
    assert told == [f"run_autograder: {line}" for line in lines]
