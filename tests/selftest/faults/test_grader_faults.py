"""The grader itself is killed or stopped: no process is left, a valid result is there, and the exit status says how."""

import fcntl
import os
import pty
import re
import signal
import termios
from pathlib import Path

import pytest

from tests.selftest.support.grader_process import (
    ENDLESS,
    UNFINISHED,
    WAIT_S,
    Watch,
    build_command,
    list_descendants,
    read_results,
    start_grader,
    wait_for,
    wait_for_student_code,
    write_submission,
)
from tests.selftest.support.terminal import read_to_the_end

pytestmark = [pytest.mark.slow, pytest.mark.once]

ENDLESS_AT_THE_SECOND_CHECK = """
import numpy as np
def unit_rows(x):
    while x.shape != (4, 3): pass
    return x / np.linalg.norm(x, axis=1, keepdims=True)
"""
ERASE = "\r\x1b[K"
ASKED_TO_END = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


@pytest.fixture
def grading(tmp_path: Path) -> list[str]:
    """The command that grades a submission in an endless loop."""
    return build_command(write_submission(tmp_path, ENDLESS), tmp_path / "results")


def test_killed_with_student_code_it_leaves_no_process_and_the_placeholder(grading: list[str], tmp_path: Path) -> None:
    with start_grader(grading) as process:
        watch = Watch(wait_for_student_code(process))
        process.kill()
        assert watch.all_end()
    result = read_results(tmp_path / "results")
    assert (result["extra_data"], result["score"]) == (UNFINISHED, 0.0)
    assert "This is not your fault" in result["output"]


@pytest.mark.ci
@pytest.mark.parametrize("number", ASKED_TO_END, ids=lambda number: number.name)
def test_asked_to_end_it_ends_cleanly_and_says_so(grading: list[str], tmp_path: Path, number: signal.Signals) -> None:
    with start_grader(grading) as process:
        watch = Watch(wait_for_student_code(process))
        process.send_signal(number)
        shown, told = process.communicate(timeout=WAIT_S)
        assert watch.all_end()
    assert (process.returncode, shown, told) == (128 + number, "", "run_autograder: stopped before the end\n")
    assert read_results(tmp_path / "results")["extra_data"] == UNFINISHED


@pytest.mark.sampled(second=1)
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM], ids=lambda number: number.name)
def test_as_it_starts_its_zygote_it_leaves_no_process(
    grading: list[str], tmp_path: Path, number: signal.Signals
) -> None:
    with start_grader(grading) as process:
        watch = Watch(wait_for(lambda: list_descendants(process.pid)))
        process.send_signal(number)
        process.communicate(timeout=WAIT_S)
        assert watch.all_end()
    assert read_results(tmp_path / "results")["extra_data"] == UNFINISHED


def test_ctrl_c_leaves_a_clean_line_on_the_terminal(grading: list[str], tmp_path: Path) -> None:
    (tmp_path / "submission" / "rows.py").write_text(ENDLESS_AT_THE_SECOND_CHECK)
    keyboard, terminal = pty.openpty()
    with start_grader(grading, stderr=terminal, start_new_session=True, preexec_fn=_sit_down_at_it) as process:
        os.close(terminal)
        watch = Watch(wait_for_student_code(process))
        os.write(keyboard, b"\x03")
        process.wait(WAIT_S)
        assert watch.all_end()
    shown = read_to_the_end(keyboard)
    assert process.returncode == 128 + signal.SIGINT
    progress = r"1 of \d+, [\d.]+ a second, about \d+ s left"
    told = rf"{re.escape(ERASE)}{progress}\^C{re.escape(ERASE)}run_autograder: stopped before the end\r\n"
    assert re.fullmatch(told, shown)
    assert read_results(tmp_path / "results")["extra_data"] == UNFINISHED


def _sit_down_at_it() -> None:
    """Make the terminal that stderr is the one whose keyboard sends signals here."""
    fcntl.ioctl(2, termios.TIOCSCTTY, 0)
