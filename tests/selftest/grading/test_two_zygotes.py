"""Two zygotes: a worker answers the scripts of the hidden pass beside the visible one, and the report is the same."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from autograder import cpu_count
from autograder.grader import Grader
from autograder.grading.hidden_test import RunnableTest
from autograder.grading.judge import Judge, PassResult
from autograder.results import Visibility
from autograder.sandbox.host.client import Zygote
from autograder.sandbox.host.connection import Connection
from autograder.sandbox.host.launcher import count_zygotes
from autograder.sandbox.host.self_check import has_own_pids
from autograder.sandbox.protocol.layers import Layer, LayerReport
from autograder.submission import QuestionFiles, Submission, read_submission
from tests.selftest.support.grader_process import list_descendants
from tests.selftest.support.toy_assignment import ASSIGNMENT, EXAMPLES, PROJECT, reference_text
from tests.selftest.test_grader import told

pytestmark = [pytest.mark.slow, pytest.mark.once]

LAYER = LayerReport("a layer", True, "")
submit = partial(Submission.build, ASSIGNMENT)
FEW = {stem: reference_text(stem) for stem in ("descent", "rows", "noise")}
LATE = f"import importlib\nimportlib.import_module('colorsys')\n{reference_text('descent')}"
SUBMISSIONS = {
    "a stub": submit({"descent": "def descend(*arguments, **options): raise NotImplementedError"}),
    "not loading": submit({"descent": reference_text("descent"), "rows": "raise ValueError('no')"}),
    "ending itself": submit({"descent": "import os\ndef descend(*arguments): os._exit(1)"}),
    "a late library": submit({"descent": LATE}),
    "a missing file": Submission((QuestionFiles("descent", None), *submit({"rows": reference_text("rows")}).questions)),
}


@pytest.fixture(scope="module")
def both() -> Iterator[tuple[Grader, Grader]]:
    """A grader that tries one test after another, and one that tries two at a time."""
    with Grader(ASSIGNMENT) as one, Grader(ASSIGNMENT, at_once=2) as two:
        yield one, two


class TestTheSameReport:
    @pytest.mark.parametrize("name", [pytest.param("right", marks=pytest.mark.ci), "half_done"])
    def test_of_a_whole_submission(self, both: tuple[Grader, Grader], name: str) -> None:
        whole = read_submission(EXAMPLES / name, ASSIGNMENT)
        one, two = (grader.grade(whole) for grader in both)
        assert told(two) == told(one)

    @pytest.mark.sampled(second=2)
    @pytest.mark.parametrize("given", SUBMISSIONS.values(), ids=SUBMISSIONS)
    def test_of_one_that_misbehaves(self, both: tuple[Grader, Grader], given: Submission) -> None:
        one, two = (grader.grade(given) for grader in both)
        assert told(two) == told(one)

    def test_where_the_second_zygote_dies(self, both: tuple[Grader, Grader]) -> None:
        expected = told(both[0].grade(submit(FEW)))
        with Grader(ASSIGNMENT, only=list(FEW), at_once=2) as grader:
            process = grader._zygotes[1].get()._process
            assert process is not None
            process.kill()
            process.wait()
            assert told(grader.grade(submit(FEW))) == expected

    def test_a_grader_serves_one_submission_after_another_and_leaves_no_process(self) -> None:
        before = set(list_descendants(os.getpid()))
        with Grader(ASSIGNMENT, only=list(FEW), at_once=2) as grader:
            first, second = (told(grader.grade(submit(FEW))) for _ in range(2))
        assert first == second
        assert set(list_descendants(os.getpid())) <= before


def test_no_second_zygote_where_its_start_costs_more_than_it_brings() -> None:
    with Grader(ASSIGNMENT, only=["descent"], at_once=2) as grader:
        assert len(grader._zygotes) == 1


def test_no_second_zygote_where_workers_share_process_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autograder.grader.has_own_pids", lambda *_: False)
    with Grader(ASSIGNMENT, only=list(FEW), at_once=2) as grader:
        assert len(grader._zygotes) == 1


@pytest.mark.parametrize("is_active", [True, False])
def test_whether_they_do_is_read_from_the_layers_or_asked_of_a_worker(is_active: bool) -> None:
    report = LayerReport(Layer.PID_NAMESPACE.value, is_active, "")
    with Zygote() as zygote:
        assert has_own_pids(zygote, [report]) == is_active
        assert has_own_pids(zygote, []) == has_own_pids(zygote, [LAYER])


def test_no_second_zygote_where_descriptors_are_short() -> None:
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (63, limits[1]))
    try:
        assert count_zygotes(2, 10) == 1
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    assert count_zygotes(2, 10) == 2


def test_a_layer_that_only_a_worker_of_the_hidden_pass_lacked_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def lacking(judge: Judge, tests: Sequence[RunnableTest], *, tell: Callable[[], object]) -> PassResult:
        result = real(judge, tests, tell=tell)
        layer = LayerReport(Layer.LANDLOCK.value, False, "not today")
        is_visible = tests[0].test.visibility is Visibility.VISIBLE
        return result if is_visible else replace(result, layers=(layer,))

    real = Judge.run_pass
    monkeypatch.setattr(Judge, "run_pass", lacking)
    with Grader(ASSIGNMENT, only=list(FEW), at_once=2) as grader:
        report = grader.grade(submit(FEW))
    (landlock,) = (layer for layer in report.layers if layer.name == Layer.LANDLOCK.value)
    assert (landlock.is_active, landlock.reason) == (False, "not today")


@pytest.mark.parametrize("at_once", [1, 2])
def test_no_reply_to_a_hidden_script_is_read_before_the_visible_pass_has_ended(
    monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    done: list[tuple[str, int]] = []
    send, receive, run_pass = Connection.send, Connection.receive, Judge.run_pass

    def note_send(self: Connection, *given: Any, **named: Any) -> None:
        done.append(("send", id(self)))
        send(self, *given, **named)

    def note_receive(self: Connection, **named: Any) -> object:
        done.append(("receive", id(self)))
        return receive(self, **named)

    def note_end(judge: Judge, tests: Sequence[RunnableTest], *, tell: Callable[[], object]) -> PassResult:
        result = run_pass(judge, tests, tell=tell)
        done.append(("end", 0))
        return result

    monkeypatch.setattr(Connection, "send", note_send)
    monkeypatch.setattr(Connection, "receive", note_receive)
    monkeypatch.setattr(Judge, "run_pass", note_end)
    with Grader(ASSIGNMENT, only=list(FEW), at_once=at_once) as grader:
        grader.grade(submit(FEW))
    first = done[: done.index(("end", 0))]
    sent, read = ({worker for what, worker in first if what == each} for each in ("send", "receive"))
    assert (bool(read), len(sent - read)) == (True, at_once - 1)


class TestCores:
    def test_a_container_may_have_less_than_the_machine(self, tmp_path: Path) -> None:
        (tmp_path / "cpu.max").write_text("50000 100000\n")
        assert cpu_count.count_usable(tmp_path) == 0.5

    @pytest.mark.parametrize(("usable", "whole"), [(0.5, 1), (1.0, 1), (1.9, 1), (2.0, 2), (16.0, 16)])
    def test_a_part_of_one_is_not_worth_a_process(
        self, monkeypatch: pytest.MonkeyPatch, usable: float, whole: int
    ) -> None:
        monkeypatch.setattr(cpu_count, "count_usable", lambda: usable)
        assert cpu_count.count_whole() == whole

    def test_also_by_the_older_kind_of_control_group(self, tmp_path: Path) -> None:
        (tmp_path / "cpu").mkdir()
        (tmp_path / "cpu" / "cpu.cfs_quota_us").write_text("75000\n")
        (tmp_path / "cpu" / "cpu.cfs_period_us").write_text("100000\n")
        assert cpu_count.count_usable(tmp_path) == 0.75

    @pytest.mark.parametrize("text", ["max 100000\n", "", "no number\n", "1 0 0\n"])
    def test_else_what_this_process_may_run_on(self, tmp_path: Path, text: str) -> None:
        (tmp_path / "cpu.max").write_text(text)
        assert cpu_count.count_usable(tmp_path) == len(os.sched_getaffinity(0))

    def test_a_process_may_be_bound_to_one(self) -> None:
        program = (
            "import os\nfrom autograder import cpu_count\nos.sched_setaffinity(0, {0})\nprint(cpu_count.count_usable())"
        )
        asked = subprocess.run([sys.executable, "-c", program], cwd=PROJECT, capture_output=True, text=True, check=True)
        assert float(asked.stdout) <= 1.0
