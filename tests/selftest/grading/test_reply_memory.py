"""However large the replies of student code are, the grader's memory stays small, and each check is judged."""

import gc
import os
import time
import weakref
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autograder.checks import NotWritten, checks
from autograder.grading.attempt import Tried, count_bytes
from autograder.grading.ending import Passed
from autograder.grading.judge import Judge
from autograder.programs.outcome import Outcome, OutcomeKind
from autograder.programs.plain_values import Handle
from autograder.results import Verdict
from autograder.sandbox import limits as limit
from autograder.sandbox.host.client import Zygote
from autograder.sandbox.host.replies import read_failure
from autograder.sandbox.limits import Limits, Need
from autograder.sandbox.protocol.wire import FRAME_LIMIT, TEXT_LIMIT
from autograder.student import Student
from tests.selftest.support.grader_process import (
    build_command,
    list_descendants,
    read_results,
    read_status_field,
    start_grader,
)
from tests.selftest.support.made_judge import make_judge
from tests.selftest.support.toy_assignment import FILES
from tests.selftest.support.toy_question import REFERENCE, changed, hidden_test, submission

pytestmark = [pytest.mark.slow, pytest.mark.once]

TEST = hidden_test("double")
ONES = changed("import numpy as np\ndef double(x): return np.ones(x)")
MANY = limit.EVIDENCE_BYTES // 8 + 1  # floats that are too many to keep
PEAK_MIB = 400


@pytest.fixture
def judge(zygote: Zygote) -> Judge:
    """A judge of a submission that returns as many ones as it is asked for."""
    return make_judge(ONES, zygote=zygote)


def fail_a_check(value: Any) -> None:
    checks.close("x", value, np.zeros(value.shape))


def fail_a_check_with_parts(value: Any) -> None:
    checks.array("x", value, (7,))


def stop_as_not_written(value: Any) -> None:
    raise NotWritten("nothing is returned")


def make_a_mistake(value: Any) -> None:
    raise ZeroDivisionError


def pass_it(value: Any) -> None:
    checks.close("x", value, np.ones(value.shape))


@pytest.mark.sampled(second=2)
@pytest.mark.parametrize(
    "end",
    [fail_a_check, fail_a_check_with_parts, stop_as_not_written, make_a_mistake, pass_it],
    ids=lambda end: end.__name__,
)
def test_no_value_outlives_its_check_even_where_garbage_is_never_collected(
    judge: Judge, end: Callable[[Any], None]
) -> None:
    kept: list[weakref.ref[Any]] = []

    def body(student: Student) -> None:
        value = student.shapes.double(MANY)
        kept.append(weakref.ref(value))
        end(value)

    gc.collect()
    gc.disable()
    try:
        judge.judge(TEST, body)
        assert kept
        assert [each() for each in kept if each() is not None] == []
    finally:
        gc.enable()


def test_the_evidence_of_all_checks_of_a_question_is_bounded(judge: Judge) -> None:
    half = limit.EVIDENCE_BYTES // 16
    for _ in range(limit.QUESTION_EVIDENCE_BYTES // limit.EVIDENCE_BYTES * 2 + 2):
        judge.judge(TEST, lambda student: fail_a_check(student.shapes.double(half)))
    kept = [each.replies is not None for each in judge.evidence]
    assert kept == sorted(kept, reverse=True)
    assert any(kept)
    assert not kept[-1]
    assert sum(each.size for each in judge.evidence) <= limit.QUESTION_EVIDENCE_BYTES + 1000
    judge._keep_evidence(
        replace(TEST, question_id="another"), lambda _: None, Tried(Passed(), replies=(np.ones(half),))
    )
    assert judge.evidence[-1].replies is not None


@pytest.mark.parametrize(
    ("need", "most_bytes"),
    [
        (None, limit.REPLIES_BYTES),
        (Need(0, cpu_s=1, replies_bytes=100), limit.FEWEST_REPLIES_BYTES),
        (Need(0, cpu_s=1, replies_bytes=10**6), 20 * 10**6),
        (Need(0, cpu_s=1, replies_bytes=10**9), limit.REPLIES_BYTES),
    ],
)
def test_a_check_that_keeps_too_many_large_values_ends(judge: Judge, need: Need | None, most_bytes: int) -> None:
    largest = FRAME_LIMIT // 8 - 100
    counts = []

    def body(student: Student) -> None:
        values = []
        for _ in range(most_bytes // FRAME_LIMIT + 5):
            counts.append(len(values))
            values.append(student.shapes.double(largest))

    result = judge.judge(replace(TEST, need=need), body)
    assert (result.verdict, result.outcome) == (Verdict.FAILED, "raised")
    assert f"its values take more than {most_bytes >> 20} MB together" in result.output
    assert max(counts) == most_bytes // FRAME_LIMIT


def test_files_too_large_for_a_message_are_the_students_fault(zygote: Zygote) -> None:
    half = "x = '" + "x" * (TEXT_LIMIT // 2) + "'\n"
    made = make_judge(submission(REFERENCE + half, helper=half), zygote=zygote)
    result = made.judge(TEST, lambda student: pass_it(student.shapes.double(1)))
    assert (result.verdict, result.outcome) == (Verdict.FAILED, "raised")
    assert "larger than the grader can handle (8 MB of text)" in result.output


@pytest.mark.parametrize(
    ("value", "least"),
    [
        (np.zeros(1000), 8000),
        ([1.5] * 1000, 32 * 1000),
        ({"a": [0] * 1000}, 32 * 1000),
        ("\U0001f600" * 1000, 4000),
        (b"x" * 1000, 1000),
        ([2**8000] * 100, 100_000),
        (Handle(1, "T", False, {"state": "x" * 1000}), 1000),
        ([Handle(1, "T" * 200, False)] * 100, 100_000),
        (Outcome(OutcomeKind.RAISED, message="x" * 1000), 1000),
    ],
    ids=["array", "list", "dict", "text", "bytes", "large integers", "handle", "names of handles", "outcome"],
)
def test_the_size_of_a_value_is_not_underestimated(value: object, least: int) -> None:
    assert least <= count_bytes(value) < 8 * least


def test_a_forged_error_is_cut_as_a_worker_cuts_it() -> None:
    text, frames = "\U0001f600" * 9000, [("shapes.py", 1, "f")] * 9000
    for reply in (("raised", text, (), text, text, frames), ("unsendable", text)):
        outcome = read_failure(reply, (), {"shapes.py": 4})
        assert len(outcome.error_type) <= 200 and len(outcome.missing_name) <= 200
        assert len(outcome.message) == limit.MESSAGE_CHARACTERS
        assert len(outcome.frames) <= limit.FRAMES_KEPT


def test_the_kernel_ends_workers_before_the_grader_when_memory_is_used_up(zygote: Zygote) -> None:
    worker = zygote.spawn(Limits(), preload=())
    scores = [_read_score(pid) for pid in list_descendants(zygote._process.pid)]
    worker.close()
    assert set(scores) == {limit.MEMORY_SCORE}  # the zygote, which a worker outgrows, has it too
    assert _read_score(os.getpid()) < limit.MEMORY_SCORE


@pytest.mark.slow
@pytest.mark.ci
def test_a_submission_that_returns_the_largest_values_takes_little_memory(tmp_path: Path) -> None:
    folder = tmp_path / "submission"
    folder.mkdir()
    steps = ("glide_step", "scaled_step")
    floods = {
        "averages": "".join(f"def {name}(*_): return np.ones({FRAME_LIMIT // 8 - 100})\n" for name in steps),
        "rows": f"def unit_rows(x): return np.ones({FRAME_LIMIT - 100}, bool)\n",
        "descent": f"def descend(*_): return [1.5] * {100_000}\n",
    }
    for question_id, text in floods.items():
        (folder / FILES[question_id]).write_text(f"import numpy as np\n{text}")
    with start_grader(build_command(folder, tmp_path / "results")) as process:
        peak = 0
        while process.poll() is None:
            peak = max(peak, sum(map(_read_anonymous_kib, list_descendants(process.pid) | {process.pid})))
            time.sleep(0.01)
    assert process.returncode == 0
    assert read_results(tmp_path / "results")["score"] < 2
    assert 100 < peak >> 10 < PEAK_MIB


def _read_score(pid: int) -> int:
    return int(Path(f"/proc/{pid}/oom_score_adj").read_text(encoding="ascii"))


def _read_anonymous_kib(pid: int) -> int:
    try:
        return int(read_status_field(pid, "RssAnon")[0])
    except (OSError, IndexError, StopIteration):  # it has ended
        return 0
