"""The progress of a long run: each line of a log has a total and an estimate, and there is one each half minute."""

from __future__ import annotations

import time

import pytest

from autograder.cli.progress import show_progress


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, in seconds, that the functions of `time` return."""
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return now


def test_a_log_gets_a_line_each_half_minute(clock: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    with show_progress() as show:
        for seconds, done in ((10, 1), (19, 2), (2, 3), (20, 4), (20, 5)):
            clock[0] += seconds
            show(done, 12)
    assert capsys.readouterr().err.splitlines() == [
        "run_autograder: 3 of 12, 0.10 a second, about 93 s left",
        "run_autograder: 5 of 12, 0.07 a second, about 99 s left",
    ]


def test_a_long_time_is_told_in_minutes(clock: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    with show_progress() as show:
        clock[0] += 100
        show(10, 100)
        clock[0] += 900
        show(100, 100)
    assert capsys.readouterr().err.splitlines() == [
        "run_autograder: 10 of 100, 0.10 a second, about 15 minutes left",
        "run_autograder: 100 of 100, 0.10 a second",
    ]


def test_what_is_in_work_is_named(clock: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    with show_progress() as show:
        for names in (["ann"], ["ann", "b" * 40, "cy"]):
            clock[0] += 40
            show(1, 1, names=names)
        clock[0] += 40
        show(1, 1, news="a surprise")
    told = [line.partition("; ")[2] for line in capsys.readouterr().err.splitlines()]
    assert told == ["ann", f"ann, {'b' * 29}… and 1 more", "a surprise"]


def test_parts_that_took_no_time_do_not_count_for_the_estimate(
    clock: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    with show_progress() as show:
        clock[0] += 100
        show(60, 61, kept=50)
        clock[0] += 100
        show(50, 61, kept=50)
    assert capsys.readouterr().err.splitlines() == [
        "run_autograder: 60 of 61, 0.10 a second, about 10 s left",
        "run_autograder: 50 of 61, 0.00 a second",
    ]
