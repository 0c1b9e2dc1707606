"""Shared workers: the first attempts of a pass have one worker, and what ends it costs no other check anything."""

from math import inf
from types import SimpleNamespace
from typing import Any

import pytest

from autograder.checks import checks
from autograder.contracts import CheckBody, Contract
from autograder.grading import shared_workers
from autograder.grading.attempt_run import AttemptRunner, ZygoteHolder
from autograder.grading.judge import Judge
from autograder.grading.shared_workers import SharedWorkers
from autograder.programs.calls import write_call
from autograder.programs.plain_values import Handle
from autograder.results import Verdict, Visibility
from autograder.sandbox import limits
from autograder.sandbox.host.client import Zygote
from autograder.sandbox.host.replies import read_parts
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.wire import encode, pack_frame
from autograder.student import Student
from tests.selftest.support.shared_judging import (
    check_area,
    check_double,
    count_requests,
    judge_all,
    judge_alone_and_together,
    make_material,
    make_test,
    make_two_questions,
    summarize,
)

pytestmark = pytest.mark.slow


def double(x: float) -> float:
    """Double a number."""
    return 2 * x


DOUBLE = Contract(double, "x: float -> y: float")
_RIGHT = "def double(x): return 2 * x\n"
_AREA = "def area(width, height): return width * height\n"
# What the file does, and the number of workers of its two tests together; a failed test has another, and one more runs
# the lines that it shows.
FILES = {
    "right": (_RIGHT, 1),
    "a syntax error": ("def double(x) return x\n", 3),
    "code that ends the worker": ("import os\ndef double(x): os._exit(0)\n", 3),
    "code that takes long": ("import time\ndef double(x): time.sleep(0.5); return 2 * x\n", 1),
    "a patched library": ("import numpy as np\ndef double(x):\n    np.kept = x\n    return 2 * x\n", 2),
    "a library": ("import json\n" + _RIGHT, 1),
    "a note in a module of its own": ("import sys\ndef double(x):\n    sys.kept = 1\n    return 2 * x\n", 2),
}
TESTS = [make_test(check_double), make_test(check_area, "area")]


@pytest.mark.sampled(second=3)
@pytest.mark.parametrize(("text", "workers"), FILES.values(), ids=FILES)
def test_checks_have_the_same_results_as_alone(
    text: str, workers: int, zygote: Zygote, monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds = count_requests(monkeypatch)
    materials = make_material(text if text.startswith("def double(x) ") else text + _AREA)
    alone = summarize(judge_all(materials, TESTS, zygote, shares_workers=False))
    kinds.clear()
    assert summarize(judge_all(materials, TESTS, zygote, shares_workers=True)) == alone
    assert kinds.count("preload") == workers


@pytest.mark.parametrize(("cpu_s", "workers"), [(8, 1), (1, 2)])
def test_a_program_has_a_tenth_of_its_time(
    cpu_s: int, workers: int, zygote: Zygote, monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds = count_requests(monkeypatch)
    spins = "end = time.process_time() + 0.2\n    while time.process_time() < end: pass\n"
    materials = make_material(f"import time\ndef double(x):\n    {spins}    return 2 * x\n")
    (result,) = judge_all(materials, [make_test(check_double, need=limits.Need(0, cpu_s))], zygote, shares_workers=True)
    assert result.verdict is Verdict.PASSED
    assert kinds.count("preload") == workers


def test_a_contract_that_cannot_be_kept_costs_the_check_before_it_nothing(zygote: Zygote) -> None:
    def divide(x: float) -> float:
        return x / 0

    contracts = (DOUBLE, Contract(divide, "x: float -> y: float"))
    bodies = [CheckBody(each.ordinary(), seed="1") for each in contracts]
    first, second = judge_all(make_material(_RIGHT), [make_test(each) for each in bodies], zygote, shares_workers=True)
    assert first.verdict is Verdict.PASSED
    assert second.verdict is Verdict.UNDECIDED
    assert "divide: the right function fails in an ordinary case: test_shared_workers.py:" in second.fault
    assert "ZeroDivisionError" in second.fault


def check_plots(student: Student) -> None:
    """Double a number in the other question."""
    checks.close("double(x)", student.plots.double(3.0), 6.0)


def check_tripled(student: Student) -> None:
    """Triple a number in the other question."""
    checks.close("double(x)", student.plots.double(3.0), 9.0)


def test_questions_share_a_worker_and_no_function(zygote: Zygote, monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = count_requests(monkeypatch)
    materials = make_two_questions("import json\n" + _RIGHT, "def double(x): return 3 * x\n")
    tests = [make_test(check_double), make_test(check_tripled, "double", question_id="plots")]
    results = judge_all(materials, tests, zygote, shares_workers=True)
    assert {each.verdict for each in results} == {Verdict.PASSED}
    assert kinds.count("preload") == 1


def test_a_question_does_not_have_the_submodules_of_another(zygote: Zygote) -> None:
    materials = make_two_questions("import xml.dom\n" + _RIGHT, "import xml\ndef double(x): return xml.dom and 2 * x\n")
    tests = [make_test(check_double), make_test(check_plots, "double", question_id="plots")]
    alone, together = judge_alone_and_together(materials, tests, zygote)
    assert [verdict for verdict, *_ in alone] == ["passed", "failed"]
    assert together == alone


def test_visible_and_hidden_checks_never_share_a_worker(zygote: Zygote) -> None:
    hidden = make_test(check_area, "area", visibility=Visibility.AFTER_DUE_DATE)
    runner = AttemptRunner(make_material(_RIGHT), True, ZygoteHolder(zygote=zygote))
    with pytest.raises(ValueError, match="visible and hidden"):
        SharedWorkers(runner, [TESTS[0], hidden])


@pytest.mark.ci
def test_a_zygote_that_fails_costs_no_point(monkeypatch: pytest.MonkeyPatch) -> None:
    zygotes: list[Zygote] = []

    def make_zygote() -> Zygote:
        zygotes.append(Zygote())
        return zygotes[-1]

    first = SharedWorkers.try_first

    def lose_zygote(self: SharedWorkers, test: shared_workers.RunnableTest) -> object:
        if len(zygotes) == 1:
            zygotes[0].close()
        return first(self, test)

    monkeypatch.setattr(SharedWorkers, "try_first", lose_zygote)
    runner = AttemptRunner(make_material(_RIGHT + _AREA), True, ZygoteHolder(make_zygote))
    results = Judge(runner).run_pass(TESTS, tell=lambda: None).checks
    for each in zygotes:
        each.close()
    assert {each.verdict for each in results} == {Verdict.PASSED}, [each.fault for each in results]


def test_replies_that_are_too_large_are_no_pass(zygote: Zygote, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "REPLIES_BYTES", 1)
    results = judge_all(make_material(_RIGHT), TESTS[:1], zygote, shares_workers=True)
    assert results[0].verdict is Verdict.FAILED


def test_of_objects_few_replies_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is sent of an object is small next to what it costs here."""
    objects = encode([Handle(number, "object", False) for number in range(limits.FEWEST_REPLIES_BYTES // 1000)])
    read: list[object] = []

    def read_and_count(parts: list[bytes], *arguments: Any, **limits_: Any) -> list[Any]:
        read.append(parts)
        return read_parts(parts, *arguments, **limits_)

    monkeypatch.setattr(shared_workers, "read_parts", read_and_count)
    answers = iter([None, [[objects]] * 50])
    connection = SimpleNamespace(receive=lambda **_: (messages.RETURNED, next(answers)))
    shared = SharedWorkers(SimpleNamespace(deadline=inf, zygotes=None), [])  # type: ignore[arg-type]
    shared._worker = SimpleNamespace(connection=connection, close=lambda: None)  # type: ignore[assignment]
    assert shared._receive([write_call("double", [1.0])] * 50, limits.FEWEST_REPLIES_BYTES) is None
    assert len(read) == 1


@pytest.mark.parametrize("forged", [[], [[]], ["x"], 0], ids=repr)
def test_a_forged_reply_to_all_programs_is_no_pass(forged: object, zygote: Zygote) -> None:
    check = CheckBody(DOUBLE.ordinary(), seed="1")
    frame = pack_frame(encode((messages.RETURNED, forged)))
    text = f"import os\ndef double(x):\n    os.write(3, {frame!r})\n    return 2 * x\n"
    (result,) = judge_all(make_material(text), [make_test(check)], zygote, shares_workers=True)
    assert result.verdict is Verdict.FAILED, result.fault


def test_a_check_of_many_programs_is_asked_and_answered_once(zygote: Zygote, monkeypatch: pytest.MonkeyPatch) -> None:
    check = CheckBody(DOUBLE.everywhere(), seed="1")
    assert len(check.derived.programs) > 1
    kinds = count_requests(monkeypatch)
    (result,) = judge_all(make_material(_RIGHT), [make_test(check)], zygote, shares_workers=True)
    assert result.verdict is Verdict.PASSED, result.output
    assert kinds == ["preload", messages.RESET, messages.ALL_PROGRAMS]
