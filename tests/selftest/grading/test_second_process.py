"""SecondProcess: tests are tried by two processes, each by one of them, and nobody can tell from the report."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from autograder import cpu_count
from autograder.grader import Grader
from autograder.grading.judge import make_judge
from autograder.grading.second_process import EarlyPass, SecondProcess, is_worthwhile
from autograder.results import Verdict
from autograder.sandbox.protocol.layers import Layer, LayerReport
from autograder.submission import QuestionFiles, SourceFile, Submission, read_submission
from tests.selftest.support.grader_process import list_descendants
from tests.selftest.support.grading import ASSIGNMENT, FILES, PROJECT, reference_text
from tests.selftest.test_grader import told

PASSED = EarlyPass(("a note",), 0.25, (LayerReport("a layer", True, ""),))


def taken_by_the_process(count: int, process: SecondProcess) -> list[EarlyPass | None]:
    """What the process says of each test in order; the caller's own are None."""
    return [process.take_next() for _ in range(count)]


class TestOneProcessForEach:
    @pytest.mark.parametrize("parents_pause_s", [0.0, 0.002, 0.02])
    @pytest.mark.parametrize("count", [0, 1, 2, 60])
    def test_every_test_is_tried_once(self, tmp_path: Path, count: int, parents_pause_s: float) -> None:
        log = tmp_path / "tried by the process"
        log.touch()

        def attempt(number: int) -> EarlyPass:
            with log.open("a") as tried:
                tried.write(f"{number}\n")
            time.sleep(0.002)
            return replace(PASSED, notes=(str(number),))

        own, found = [], []
        with SecondProcess(count, attempt) as process:
            for number in range(count):
                ahead = process.take_next()
                if ahead is None:
                    own.append(number)
                    time.sleep(parents_pause_s)
                else:
                    found.append(ahead.notes)
        assert own == list(range(len(own)))
        assert found == [(str(number),) for number in range(len(own), count)]
        assert [int(line) for line in log.read_text().split()] == list(range(len(own), count))[::-1]

    def test_what_passed_arrives_whole(self) -> None:
        with SecondProcess(2, lambda _: PASSED) as process:
            time.sleep(0.2)
            assert taken_by_the_process(2, process) == [PASSED, PASSED]

    def test_it_vouches_for_nothing_else(self) -> None:
        with SecondProcess(3, lambda number: PASSED if number != 1 else None) as process:
            time.sleep(0.2)
            assert taken_by_the_process(3, process) == [PASSED, None, PASSED]

    @pytest.mark.parametrize("end", [lambda: os._exit(0), lambda: os.kill(os.getpid(), signal.SIGKILL), lambda: 1 / 0])
    def test_what_it_took_along_when_it_ended_is_its_parents(self, end: Any) -> None:
        with SecondProcess(4, lambda number: PASSED if number == 3 else end()) as process:
            time.sleep(0.2)
            assert taken_by_the_process(4, process) == [None, None, None, PASSED]

    def test_no_process_is_left(self) -> None:
        process = SecondProcess(1, lambda _: time.sleep(60))
        process.close()
        process.close()
        with pytest.raises(ChildProcessError):
            os.waitpid(process._pid, os.WNOHANG)

    def test_it_ends_with_its_parent(self) -> None:
        program = (
            "import time, os\nfrom autograder.grading.second_process import SecondProcess\n"
            "process = SecondProcess(1, lambda _: time.sleep(60))\nprint(process._pid, flush=True)\ntime.sleep(60)"
        )
        parent = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, cwd=PROJECT)
        assert parent.stdout is not None
        process = int(parent.stdout.readline())
        parent.kill()
        parent.wait()
        parent.stdout.close()
        assert _is_gone(process)


def _is_gone(pid: int) -> bool:
    for _ in range(500):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state == "Z":
            return True
        time.sleep(0.01)
    return False


FEW = {stem: reference_text(stem) for stem in ("sgd", "normalization", "dropout")}
SUBMISSIONS = {
    "a stub": {"sgd": "def sgd(*arguments, **options): raise NotImplementedError"},
    "not loading": {"sgd": reference_text("sgd"), "normalization": "raise ValueError('no')"},
    "ending itself": {"sgd": "import os\ndef sgd(*arguments): os._exit(1)"},
    "a late library": {"sgd": f"import importlib\nimportlib.import_module('colorsys')\n{reference_text('sgd')}"},
    "a missing file": {"sgd": None, "normalization": reference_text("normalization")},
}


def submission(texts: dict[str, str | None]) -> Submission:
    """A submission of these questions."""
    stems = [stem for stem in ASSIGNMENT.stems if stem in texts]
    mains = {stem: None if texts[stem] is None else SourceFile(FILES[stem], str(texts[stem]), stem) for stem in stems}
    return Submission(tuple(QuestionFiles(stem, mains[stem]) for stem in stems), (), "", 0)


@pytest.fixture(scope="module")
def both() -> Iterator[tuple[Grader, Grader]]:
    """A grader that tries one test after another, and one that tries two at a time."""
    with Grader(ASSIGNMENT) as one, Grader(ASSIGNMENT, at_once=2) as two:
        yield one, two


class TestTheSameReport:
    @pytest.mark.parametrize("name", ["right", "half_done"])
    def test_of_a_whole_submission(self, both: tuple[Grader, Grader], name: str) -> None:
        whole = read_submission(PROJECT / "examples" / name, ASSIGNMENT)
        one, two = (grader.grade(whole) for grader in both)
        assert told(two) == told(one)

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
    with Grader(ASSIGNMENT, only=["sgd"], at_once=2) as grader:
        assert grader._second is None
        with grader._start_second_process(make_judge({}, 0.0), []) as process:
            assert process is None


def test_no_second_process_where_descriptors_are_short() -> None:
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (63, limits[1]))
    try:
        assert not is_worthwhile(2, 10)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    assert is_worthwhile(2, 10)


class _Told:
    """A process that says the same of every test."""

    def __init__(self, ahead: EarlyPass | None) -> None:
        self._ahead = ahead

    def take_next(self) -> EarlyPass | None:
        """What it says."""
        return self._ahead


class TestWhatTheJudgeMakesOfIt:
    @pytest.fixture
    def grader(self) -> Iterator[Grader]:
        """A grader of one question."""
        with Grader(ASSIGNMENT, only=["sgd"]) as grader:
            yield grader

    def judged(self, grader: Grader, ahead: EarlyPass | None, *, seconds: float = 60.0, endless: str = "") -> Any:
        """The result of the first test of a submission that fails it, and the judge."""
        files = submission({"sgd": "def sgd(*arguments, **options): raise ValueError"}).questions[0]
        judge = make_judge({"sgd": grader._build_material(files)}, time.monotonic() + seconds, zygote=grader._zygote)
        judge.second_process = _Told(ahead)  # type: ignore[assignment]
        judge.memory.endless.update([endless] if endless else [])
        return judge.judge(*grader._tests[0]), judge

    def test_a_test_that_passed_ahead_is_not_tried_again(self, grader: Grader) -> None:
        result, judge = self.judged(grader, PASSED)
        assert (result.verdict, result.output) == (Verdict.PASSED, "Passed.\na note")
        assert result.seconds >= PASSED.seconds
        assert judge.layers_of_early_passes == PASSED.layers

    def test_one_that_did_not_is_tried(self, grader: Grader) -> None:
        result, _ = self.judged(grader, None)
        assert result.verdict is Verdict.FAILED

    def test_one_that_would_have_less_time_now_is_tried(self, grader: Grader) -> None:
        result, _ = self.judged(grader, PASSED, endless="sgd")
        assert result.verdict is Verdict.FAILED

    def test_a_pass_is_kept_when_no_time_is_left(self, grader: Grader) -> None:
        assert self.judged(grader, PASSED, seconds=0.0)[0].verdict is Verdict.PASSED
        assert self.judged(grader, None, seconds=0.0)[0].verdict is Verdict.NOT_RUN

    def test_a_layer_that_only_a_worker_of_the_lane_lacked_is_reported(
        self, grader: Grader, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lacking = replace(PASSED, layers=(LayerReport(Layer.LANDLOCK.value, False, "not today"),))
        monkeypatch.setattr(SecondProcess, "take_next", lambda process: lacking)
        monkeypatch.setattr(grader, "_has_second_process", True)
        report = grader.grade(submission({"sgd": reference_text("sgd")}))
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
