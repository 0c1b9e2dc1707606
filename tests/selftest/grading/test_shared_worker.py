"""Shared worker: the scripts of a pass share one worker, and what ends it costs no other question anything."""

from __future__ import annotations

from types import ModuleType

import pytest

from autograder.checks import checks
from autograder.grading import script_runner
from autograder.grading.attempt_run import AttemptRunner, ZygoteHolder
from autograder.grading.judge import Judge
from autograder.grading.script import ScriptBook
from autograder.grading.script_runner import ScriptRunner
from autograder.results import Verdict
from autograder.sandbox import limits
from autograder.sandbox.calls import module_code
from autograder.sandbox.host.client import Zygote
from autograder.sandbox.worker import importer
from autograder.student import Student
from tests.selftest.support.toy_scripts import (
    check_double,
    count_requests,
    judge_all,
    judge_alone_and_together,
    make_test,
    make_two_questions,
    summarize,
)

pytestmark = pytest.mark.slow

_RIGHT = "def double(x): return 2 * x\n"
# What the file of the first question does, and the number of workers of both questions together; a failed test has two,
# of which one runs the lines that it shows.
FILES = {
    "right": (_RIGHT, 1),
    "wrong": ("def double(x): return x\n", 3),
    "a syntax error": ("def double(x) return x\n", 4),
    "code that ends the worker": ("import os\ndef double(x): os._exit(0)\n", 4),
    "code that takes long": ("import time\ndef double(x): time.sleep(0.5); return 2 * x\n", 1),
    "code that sleeps": ("import time\ndef double(x): time.sleep(60)\n", 3),
    "a patched library": ("import numpy as np\ndef double(x):\n    np.kept = x\n    return 2 * x\n", 2),
    "a library": ("import json\n" + _RIGHT, 1),
    "a submodule of a library": ("import xml.dom\n" + _RIGHT, 2),
    "a part of numpy": ("import numpy.linalg\n" + _RIGHT, 1),
    "a part of numpy by its short name": ("import numpy as np\nnp.linalg.norm(np.ones(2))\n" + _RIGHT, 1),
}


def check_second(student: Student) -> None:
    """Double a number in the other question."""
    checks.close("double(x)", student.plots.double(3.0), 6.0)


TESTS = [make_test(check_double), make_test(check_second, "double", stem="plots")]


@pytest.mark.sampled(second=3)
@pytest.mark.parametrize(("text", "workers"), FILES.values(), ids=FILES)
def test_a_question_has_the_same_results_as_alone(
    text: str, workers: int, zygote: Zygote, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "WALL_PER_CPU", 0.3)
    monkeypatch.setattr(limits, "SCRIPT_WALL_S", 2.0)
    kinds = count_requests(monkeypatch)
    materials = make_two_questions(text, _RIGHT)
    alone = summarize(judge_all(materials, TESTS, zygote, uses_scripts=False))
    kinds.clear()
    assert summarize(judge_all(materials, TESTS, zygote, uses_scripts=True)) == alone
    assert alone[1][0] == "passed"
    assert kinds.count("preload") == workers
    assert kinds.count("scripts") <= 2


@pytest.mark.parametrize(("room", "workers"), [(limits.REPLIES_BYTES, 1), (1, 2)], ids=["enough", "for one question"])
def test_questions_have_one_worker_if_they_have_room_in_one_message(
    zygote: Zygote, monkeypatch: pytest.MonkeyPatch, room: int, workers: int
) -> None:
    monkeypatch.setattr(script_runner, "FRAME_LIMIT", room)
    kinds = count_requests(monkeypatch)
    results = judge_all(make_two_questions(_RIGHT, _RIGHT), TESTS, zygote, uses_scripts=True)
    assert {each.verdict for each in results} == {Verdict.PASSED}
    assert (kinds.count("scripts"), kinds.count("call")) == (workers, 0)


def test_replies_that_are_too_large_together_are_not_kept(zygote: Zygote, monkeypatch: pytest.MonkeyPatch) -> None:
    materials = make_two_questions(_RIGHT, _RIGHT)
    runner = AttemptRunner(materials, ScriptBook(), ZygoteHolder(zygote=zygote))
    monkeypatch.setattr(limits, "REPLIES_BYTES", 500)
    scripts = ScriptRunner(runner, TESTS)
    scripts.collect()
    assert [scripts.try_script(each.test) is not None for each in TESTS] == [True, False]


def test_a_zygote_that_fails_while_the_worker_waits_costs_no_point(monkeypatch: pytest.MonkeyPatch) -> None:
    zygotes: list[Zygote] = []

    def make_zygote() -> Zygote:
        zygotes.append(Zygote())
        return zygotes[-1]

    def fail_once(self: ScriptRunner) -> None:
        if zygotes:  # its worker is to end, before a test runs alone
            monkeypatch.undo()
            zygotes[0].close()
            self.close()

    monkeypatch.setattr(ScriptRunner, "close", fail_once)
    materials = make_two_questions(_RIGHT.replace("2 *", "3 *"), _RIGHT)
    runner = AttemptRunner(materials, ScriptBook(), ZygoteHolder(make_zygote))
    results = Judge(runner).run_pass(TESTS, tell=lambda: None).checks
    for each in zygotes:
        each.close()
    assert [each.verdict for each in results] == [Verdict.FAILED, Verdict.PASSED], results[0].fault
    assert len(zygotes) == 2


def test_an_unused_submodule_of_another_question_is_not_there(zygote: Zygote) -> None:
    materials = make_two_questions("import xml.dom\n" + _RIGHT, "import xml\ndef double(x): return xml.dom and 2 * x\n")
    alone, together = judge_alone_and_together(materials, TESTS, zygote)
    assert [verdict for verdict, *_ in alone] == ["passed", "failed"]
    assert together == alone


def test_files_are_encoded_once_for_all_workers_and_compiled_once_for_all_tests(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    material = make_two_questions(_RIGHT, _RIGHT)["shapes"]
    assert material.encode_modules(support_wins=False) is material.encode_modules(support_wins=False)
    compiled = list[str]()

    def compile_module(name: str, source: module_code.Source) -> object:
        compiled.append(name)
        return module_code.compile_module(name, source)

    monkeypatch.setattr(importer, "compile_module", compile_module)
    sources = {name: module_code.Source(*fields) for name, fields in material.own.items()}
    modules = importer.StudentModules(sources, {}, support_wins=False)
    modules.compile_all()
    for _ in range(3):
        modules.forget_imports()
        modules.exec_module(ModuleType("shapes"))
    assert compiled == list(sources)
