"""What the grader writes to goes away: a full disk, a read-only folder, closed outputs. A result is never half a file.

What was graded is shown where it cannot be written, and written where it cannot be shown.
"""

import fcntl
import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.selftest.faults.test_machine_faults import limited, require_mounts
from tests.selftest.support.grader_process import (
    UNFINISHED,
    WAIT_S,
    grade_right,
    read_results,
    run,
    start_grader,
    wait_for,
)
from tests.selftest.support.staff_project import copy_toy, insert_step

pytestmark = [pytest.mark.slow, pytest.mark.once]

SHOWN = "4 of 4 points, 4 of 4 checks passed"
CLOSED = ["<&- >&- 2>&-", ">/dev/full", "2>/dev/full"]


class TestOutputs:
    @pytest.mark.ci
    @pytest.mark.parametrize("redirection", CLOSED)
    def test_closed_or_full_they_cost_nothing(self, grading: list[str], tmp_path: Path, redirection: str) -> None:
        done = run(["sh", "-c", f'exec "$@" {redirection}', "sh", *grading])
        assert (done.returncode, "Traceback" in done.stderr) == (0, False)
        assert read_results(tmp_path / "results")["score"] == 4.0

    @pytest.mark.ci
    def test_a_pipe_that_nobody_reads_holds_up_the_report_only(self, grading: list[str], tmp_path: Path) -> None:
        reader, writer = os.pipe()
        os.write(writer, b"\n" * fcntl.fcntl(writer, fcntl.F_GETPIPE_SZ))
        with start_grader(grading, stdout=writer) as process:
            os.close(writer)
            wait_for(lambda: state_in(tmp_path / "results") == "graded")
            os.close(reader)
            assert process.wait(WAIT_S) == 0
            assert process.stderr is not None
            assert process.stderr.read() == "run_autograder: the report cannot be shown: Broken pipe\n"


@pytest.mark.ci
def test_a_disk_too_full_for_the_result_keeps_the_first_one(grading: list[str], tmp_path: Path) -> None:
    done = run(limited("-f 1", grading))
    assert done.returncode == 3
    assert SHOWN in done.stdout
    assert done.stdout.endswith("not written\n")
    place = f"{tmp_path}/results/results.json"
    assert done.stderr == f"run_autograder: the result cannot be written: {place}: File too large\n"
    assert read_results(tmp_path / "results")["extra_data"] == UNFINISHED


class TestFolder:
    def test_read_only_it_is_the_users(self, grading: list[str], tmp_path: Path) -> None:
        require_mounts()
        (tmp_path / "results").mkdir()
        script = 'mount -t tmpfs -o ro none "$0" && exec "$@"'
        done = run(["unshare", "--mount", "sh", "-c", script, str(tmp_path / "results"), *grading])
        assert done.returncode == 2
        assert "cannot write to" in done.stderr
        assert "Read-only file system" in done.stderr

    @pytest.mark.ci
    @pytest.mark.parametrize(
        "step",
        [
            "shutil.rmtree(results)",
            "(results / 'results.json').unlink()",
            "(results / 'results.json').unlink(), (results / 'results.json').symlink_to(results.parent / 'victim')",
        ],
        ids=["the folder is removed", "the file is removed", "the file becomes a link"],
    )
    def test_what_happens_to_it_during_a_run_is_mended(self, tmp_path: Path, step: str) -> None:
        (tmp_path / "victim").write_text("untouched")
        done = run_with_step(tmp_path, step)
        assert (done.returncode, done.stderr) == (0, "")
        assert read_results(tmp_path / "results")["score"] == 4.0
        assert (tmp_path / "victim").read_text() == "untouched"

    @pytest.mark.ci
    @pytest.mark.parametrize(
        ("step", "told"),
        [
            ("(results / 'results.json').unlink(), (results / 'results.json').mkdir()", "Is a directory"),
            ("shutil.rmtree(results), results.touch()", "File exists"),
        ],
        ids=["the file becomes a folder", "the folder becomes a file"],
    )
    def test_what_cannot_be_mended_is_told_and_the_report_is_shown(self, tmp_path: Path, step: str, told: str) -> None:
        done = run_with_step(tmp_path, step)
        assert done.returncode == 3
        assert SHOWN in done.stdout
        assert told in done.stderr


def run_with_step(folder: Path, step: str) -> subprocess.CompletedProcess[str]:
    """Grade a right submission, with a step taken in the first check."""
    project = insert_step(copy_toy(folder), step, results=folder / "results")
    return grade_right(folder, project)


def state_in(folder: Path) -> str:
    """The state in the results.json of a folder, or an empty text."""
    try:
        return str(json.loads((folder / "results.json").read_text())["extra_data"]["state"])
    except FileNotFoundError:
        return ""
