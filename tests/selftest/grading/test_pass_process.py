"""Pass process: the hidden pass runs in a process of its own, and the report is the same as without it."""

from __future__ import annotations

import itertools
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from autograder import cpu_count
from autograder.grader import Grader
from autograder.grading.hidden_test import RunnableTest
from autograder.grading.judge import Lesson, PassResult
from autograder.grading.pass_process import (
    PassProcess,
    QuestionQueue,
    VerdictFeed,
    finish_hidden_pass,
    join_results,
    pack_result,
    unpack_result,
)
from autograder.grading.statement_load import LateLoad
from autograder.grading.transcript import Evidence
from autograder.grading.worker_limits import count_zygotes
from autograder.results import CheckResult, Verdict, Visibility
from autograder.sandbox.host.client import Zygote
from autograder.sandbox.host.known_layers import has_own_pids
from autograder.sandbox.protocol.layers import Layer, LayerReport
from autograder.sandbox.protocol.outcome import Frame, Outcome, OutcomeKind
from autograder.submission import QuestionFiles, SourceFile, Submission, read_submission
from tests.selftest.support.fault_injection import TEST
from tests.selftest.support.grader_process import Watch, list_descendants
from tests.selftest.support.reports import check
from tests.selftest.support.toy_assignment import ASSIGNMENT, EXAMPLES, FILES, PROJECT, reference_text
from tests.selftest.test_grader import told

HIDDEN = RunnableTest(TEST, lambda _: None)
LAYER = LayerReport("a layer", True, "")
Tell = Callable[[CheckResult], None]


def result_of(*checks: CheckResult, evidence: tuple[Evidence, ...] = ()) -> PassResult:
    """The result of a pass."""
    return PassResult(checks, evidence, (LAYER,))


class TestAProcess:
    def test_gives_its_result_and_tells_of_each_test(self) -> None:
        def run(tell: Tell, *_: object) -> PassResult:
            tell(check(title="one"))
            tell(check(title="two"))
            return result_of(check(score=1.0))

        told: list[bool] = []
        with PassProcess(run, []) as process:
            assert process.wait(lambda: told.append(True)) == result_of(check(score=1.0))
        assert len(told) == 2

    def test_that_fails_gives_none(self) -> None:
        with PassProcess(lambda *_: 1 / 0, []) as process:  # type: ignore[arg-type, return-value]
            assert process.wait(lambda: None) is None

    def test_that_is_killed_gives_none(self) -> None:
        with PassProcess(lambda *_: time.sleep(60), []) as process:  # type: ignore[arg-type, return-value]
            os.kill(process._pid, signal.SIGKILL)
            assert process.wait(lambda: None) is None

    def test_is_ended_when_its_result_is_not_wanted(self) -> None:
        process = PassProcess(lambda *_: time.sleep(60), [])  # type: ignore[arg-type, return-value]
        watch = Watch([process._pid])
        process.close()
        process.close()
        assert watch.all_end(5.0)

    def test_ends_with_the_grader(self) -> None:
        code = (
            "import time\nfrom autograder.grading.pass_process import PassProcess\n"
            "process = PassProcess(lambda *_: time.sleep(60), [])\nprint(process._pid, flush=True)\ntime.sleep(60)"
        )
        parent = subprocess.Popen([sys.executable, "-c", code], cwd=PROJECT, stdout=subprocess.PIPE, text=True)
        assert parent.stdout is not None
        watch = Watch([int(parent.stdout.readline())])
        parent.kill()
        parent.wait()
        parent.stdout.close()
        assert watch.all_end(5.0)


class TestVerdictsOnTheirWay:
    """The hidden pass learns the verdicts of visible tests, as late as it needs them."""

    VISIBLE = RunnableTest(replace(TEST, test_id="visible", functions=("add",)), lambda _: None)
    OTHER = RunnableTest(replace(TEST, test_id="other", functions=("sub",)), lambda _: None)

    @staticmethod
    def learn_about_add(_: Tell, feed: VerdictFeed, __: QuestionQueue) -> PassResult:
        """Return the verdicts that came until those on `add` were there, as the functions of a check."""
        came: list[str] = []

        def record(lesson: Lesson) -> None:
            test, verdict, *others = lesson
            came.extend([test.stem, *test.functions, verdict.value, *map(str, others)])

        learn = feed.start_receiving(record)
        learn(TEST.stem, ["add", "mul"])
        return result_of(check(functions=tuple(came)))

    def test_are_waited_for(self) -> None:
        load = LateLoad(3, 2, [[0, 1], [4, 7]], "no reply")  # is sent once
        with PassProcess(self.learn_about_add, [], [self.VISIBLE, self.OTHER]) as process:
            process.feed.send(Lesson(check(test_id="other"), Verdict.PASSED, load=load))
            process.feed.send(Lesson(check(test_id="visible"), Verdict.FAILED, is_late=True, load=load))
            result = process.wait(lambda: None)
        assert result is not None
        first = (TEST.stem, "sub", "passed", "False", str(load))
        assert result.checks[0].functions == (*first, TEST.stem, "add", "failed", "True", "None")

    def test_are_not_waited_for_where_no_visible_test_is_about_the_function(self) -> None:
        with PassProcess(self.learn_about_add, [], [self.OTHER]) as process:
            result = process.wait(lambda: None)
        assert result is not None
        assert result.checks[0].functions == ()

    def test_end_the_process_where_the_visible_pass_ends_without_them(self) -> None:
        with PassProcess(self.learn_about_add, [], [self.VISIBLE]) as process:
            process.feed.close()
            assert process.wait(lambda: None) is None

    def test_may_be_sent_to_a_process_that_is_gone(self) -> None:
        with PassProcess(lambda *_: result_of(), [], [self.VISIBLE]) as process:
            process.wait(lambda: None)
            process.feed.send(Lesson(check(test_id="visible"), Verdict.PASSED))


class TestQuestions:
    """Each hidden test is judged once, by the process or by the grader after its visible pass."""

    TESTS: ClassVar = [
        RunnableTest(replace(TEST, test_id=f"{stem}{number}", stem=stem), lambda _: None)
        for stem in ("algebra", "botany", "chess", "dance")
        for number in (1, 2)
    ]
    IDS: ClassVar = [each.test.test_id for each in TESTS]

    @classmethod
    def judge(cls, stems: Iterable[str]) -> PassResult:
        """Return a result whose checks say which process judged them."""
        checks: list[CheckResult] = []
        for stem in stems:
            tests = [each.test for each in cls.TESTS if each.test.stem == stem]
            checks += [check(test_id=each.test_id, stem=stem, output=str(os.getpid())) for each in tests]
        return result_of(*checks)

    @classmethod
    def take_all(cls, _tell: Tell, _feed: VerdictFeed, queue: QuestionQueue) -> PassResult:
        """Judge all questions that are left."""
        return cls.judge(queue.take_from_front())

    @classmethod
    def take_two_and_fail(cls, _tell: Tell, _feed: VerdictFeed, queue: QuestionQueue) -> PassResult:
        """Take two questions, and come to no end."""
        cls.judge(itertools.islice(queue.take_from_front(), 2))
        raise MemoryError

    @classmethod
    def wait_and_take_all(cls, tell: Tell, feed: VerdictFeed, queue: QuestionQueue) -> PassResult:
        """Judge what is left when the grader has judged its part."""
        feed.start_receiving(lambda *_: None)(TEST.stem, TEST.functions)
        return cls.take_all(tell, feed, queue)

    def finish(self, process: PassProcess | None, judge: Callable[[Iterable[str]], PassResult]) -> PassResult:
        """Finish the pass over all tests; each is judged once, and its result is in its place."""
        result = finish_hidden_pass(process, self.TESTS, judge, lambda: None)
        assert [each.test_id for each in result.checks] == self.IDS
        return result

    def test_are_the_graders_where_there_is_no_process(self) -> None:
        assert {each.output for each in self.finish(None, self.judge).checks} == {str(os.getpid())}

    def test_are_shared(self) -> None:
        def take_two(stems: Iterable[str]) -> PassResult:
            result = self.judge(itertools.islice(stems, 2))
            process.feed.send(Lesson(check(test_id=TEST.test_id), Verdict.PASSED))
            return result

        with PassProcess(self.wait_and_take_all, self.TESTS, [HIDDEN]) as process:
            result = self.finish(process, take_two)
        judged_here = [each.stem for each in result.checks if each.output == str(os.getpid())]
        assert judged_here == ["chess", "chess", "dance", "dance"]

    def test_of_a_process_that_fails_are_the_graders(self) -> None:
        with PassProcess(self.take_two_and_fail, self.TESTS) as process:
            process.wait(lambda: None)  # so that it takes them first
            process.wait = lambda _: None  # type: ignore[method-assign]
            result = self.finish(process, self.judge)
        assert {each.output for each in result.checks} == {str(os.getpid())}

    def test_keep_the_evidence_and_the_layers_of_both(self) -> None:
        evidence = [Evidence(each.test, each.call, (), ()) for each in self.TESTS]

        def fail(number: int, tests: Sequence[int]) -> PassResult:
            return PassResult((), tuple(evidence[each] for each in tests), (LayerReport(str(number), True, ""),))

        joined = join_results(self.TESTS, fail(1, [5, 6]), fail(2, [0, 2]))
        assert joined.evidence == tuple(evidence[each] for each in (0, 2, 5, 6))
        assert [layer.name for layer in joined.layers] == ["1", "2"]


class TestAQueue:
    def test_of_a_question_with_many_tests_has_it_once(self) -> None:
        queue = QuestionQueue(["a", "a", "b"])
        assert list(queue.take_from_front()) == ["a", "b"]
        assert list(queue.take_from_end()) == []
        queue.close()
        queue.close()

    def test_gives_no_question_twice(self) -> None:
        queue = QuestionQueue("abcde")
        front, end = queue.take_from_front(), queue.take_from_end()
        taken = [next(front), next(end), next(end), next(front), next(end, None), next(front, None)]
        assert taken == ["a", "e", "d", "b", "c", None]
        queue.close()


class TestAResultOnItsWay:
    @pytest.mark.parametrize(
        "replies",
        [
            None,
            (),
            (1.5, None, "text", (1, [2, {"a": b"x"}])),
            (Outcome(OutcomeKind.RAISED, error_type="E", message="m", frames=(Frame("a.py", 3, "f"),)),),
        ],
        ids=["too large", "none", "plain values", "an outcome"],
    )
    def test_keeps_its_evidence(self, replies: tuple[object, ...] | None) -> None:
        evidence = Evidence(*HIDDEN, replies, ("seen",))
        sent = result_of(evidence=(evidence,))
        assert unpack_result(pack_result(sent), {TEST.test_id: HIDDEN}) == sent

    def test_keeps_arrays(self) -> None:
        evidence = Evidence(*HIDDEN, (np.eye(2),), ())
        with PassProcess(lambda *_: result_of(evidence=(evidence,)), [HIDDEN]) as process:
            result = process.wait(lambda: None)
        assert result is not None
        (replied,) = result.evidence[0].replies or ()
        assert np.array_equal(replied, np.eye(2))  # type: ignore[arg-type]

    def test_keeps_every_field_of_a_check(self) -> None:
        sent = check(
            verdict=Verdict.PARTIAL, visibility=Visibility.AFTER_DUE_DATE, score=0.5, replaced=("f",), fault="a fault"
        )
        assert unpack_result(pack_result(result_of(sent)), {}).checks == (sent,)


FEW = {stem: reference_text(stem) for stem in ("descent", "rows", "noise")}
SUBMISSIONS = {
    "a stub": {"descent": "def descend(*arguments, **options): raise NotImplementedError"},
    "not loading": {"descent": reference_text("descent"), "rows": "raise ValueError('no')"},
    "ending itself": {"descent": "import os\ndef descend(*arguments): os._exit(1)"},
    "a late library": {
        "descent": f"import importlib\nimportlib.import_module('colorsys')\n{reference_text('descent')}"
    },
    "a missing file": {"descent": None, "rows": reference_text("rows")},
}


def submission(texts: dict[str, str | None]) -> Submission:
    """A submission of these questions."""
    stems = [stem for stem in ASSIGNMENT.stems if stem in texts]
    mains = {stem: None if texts[stem] is None else SourceFile(FILES[stem], str(texts[stem]), stem) for stem in stems}
    return Submission(tuple(QuestionFiles(stem, mains[stem]) for stem in stems))


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

    @pytest.mark.sampled(second=2, ci=3)
    @pytest.mark.parametrize("texts", SUBMISSIONS.values(), ids=SUBMISSIONS)
    def test_of_one_that_misbehaves(self, both: tuple[Grader, Grader], texts: dict[str, str | None]) -> None:
        one, two = (grader.grade(submission(texts)) for grader in both)
        assert told(two) == told(one)

    def test_where_no_process_can_be_had(self, both: tuple[Grader, Grader], monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse() -> int:
            raise BlockingIOError("no more processes")

        texts = FEW
        expected = told(both[0].grade(submission(texts)))
        with Grader(ASSIGNMENT, only=list(FEW), at_once=2) as grader, monkeypatch.context() as patch:
            patch.setattr("os.fork", refuse)
            assert told(grader.grade(submission(texts))) == expected

    def test_where_the_second_zygote_dies(self, both: tuple[Grader, Grader]) -> None:
        texts = FEW
        expected = told(both[0].grade(submission(texts)))
        with Grader(ASSIGNMENT, only=list(FEW), at_once=2) as grader:
            assert grader._second is not None
            grader._second._process.kill()
            assert told(grader.grade(submission(texts))) == expected

    def test_a_grader_serves_one_submission_after_another_and_leaves_no_process(self) -> None:
        texts = FEW
        before = set(list_descendants(os.getpid()))
        with Grader(ASSIGNMENT, only=list(FEW), at_once=2) as grader:
            first, second = (told(grader.grade(submission(texts))) for _ in range(2))
        assert first == second
        assert set(list_descendants(os.getpid())) <= before


def test_no_second_process_where_its_start_costs_more_than_it_brings() -> None:
    with Grader(ASSIGNMENT, only=["descent"], at_once=2) as grader:
        assert grader._second is None
        with grader._start_hidden_pass({}, [], [], 0.0) as process:
            assert process is None


def test_no_second_process_where_workers_share_process_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autograder.grader.has_own_pids", lambda *_: False)
    with Grader(ASSIGNMENT, only=list(FEW), at_once=2) as grader:
        assert grader._second is None
        with grader._start_hidden_pass({}, [], [], 0.0) as process:
            assert process is None


@pytest.mark.parametrize("is_active", [True, False])
def test_whether_they_do_is_read_from_the_layers_or_asked_of_a_worker(is_active: bool) -> None:
    report = LayerReport(Layer.PID_NAMESPACE.value, is_active, "")
    with Zygote() as zygote:
        assert has_own_pids(zygote, [report]) == is_active
        assert has_own_pids(zygote, []) == has_own_pids(zygote, [LAYER])


def test_no_second_process_where_descriptors_are_short() -> None:
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (63, limits[1]))
    try:
        assert count_zygotes(2, 10) == 1
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    assert count_zygotes(2, 10) == 2


def test_a_layer_that_only_a_worker_of_the_hidden_pass_lacked_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def lacking(process: PassProcess, tell: Tell) -> PassResult | None:
        result = real(process, tell)
        layer = LayerReport(Layer.LANDLOCK.value, False, "not today")
        return result and replace(result, layers=(layer,))

    real = PassProcess.wait
    monkeypatch.setattr(PassProcess, "wait", lacking)
    with Grader(ASSIGNMENT, only=list(FEW), at_once=2) as grader:
        report = grader.grade(submission(FEW))
    (landlock,) = (layer for layer in report.layers if layer.name == Layer.LANDLOCK.value)
    assert (landlock.is_active, landlock.reason) == (False, "not today")


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
