"""One grader serves many submissions: none finds out what came before, and each is told what it is told alone."""

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.grader import Grader, SelfCheck
from autograder.grading.hidden_test import RunnableTest
from autograder.grading.judge import Judge, PassResult
from autograder.results import Report, Verdict, Visibility
from autograder.sandbox.protocol.layers import SELF_CHECK, Layer, LayerReport
from autograder.submission import QuestionFiles, Submission
from tests.selftest.support.fault_injection import find_starter
from tests.selftest.support.grader_process import Watch, list_descendants
from tests.selftest.support.toy_assignment import ASSIGNMENT, reference_text

pytestmark = pytest.mark.slow

RIGHT = reference_text("descent")
WITH_A_LIBRARY = f"import fractions\nassert fractions.Fraction(1, 2)\n{RIGHT}"
ASKING_FOR_A_LIBRARY = f"import importlib\nimportlib.import_module('colorsys')\n{RIGHT}"
NOT_LOADING = "raise ValueError('no')"
ENDING_ITSELF = "import os\ndef descend(*arguments): os._exit(1)"
LEAVING_MARKS = f"import builtins, numpy\nbuiltins.len = None\nnumpy.random.seed(1)\n{RIGHT}"


def submission(text: str | None, *, question_id: str = "descent") -> Submission:
    """A submission of one question, which is this text."""
    return (
        Submission((QuestionFiles(question_id, None),))
        if text is None
        else Submission.build(ASSIGNMENT, {question_id: text})
    )


def told(report: Report) -> str:
    """Everything that a report says, timings apart."""
    checks = tuple(replace(check, seconds=0.0) for check in report.checks)
    return repr(replace(report, checks=checks, seconds=0.0, visible_seconds=0.0))


def children() -> set[int]:
    """The processes below this one."""
    return set(list_descendants(os.getpid()))


@pytest.fixture
def descent() -> Iterator[Grader]:
    """A grader of one question, whose zygote no other test uses."""
    with Grader(ASSIGNMENT, only=["descent"]) as grader:
        yield grader


@pytest.mark.sampled(second=1)
@pytest.mark.parametrize(
    "before",
    [WITH_A_LIBRARY, ASKING_FOR_A_LIBRARY, NOT_LOADING, ENDING_ITSELF, LEAVING_MARKS, None],
    ids=["library", "late library", "not loading", "ending itself", "leaving marks", "missing"],
)
def test_a_submission_is_told_the_same_whatever_came_before(descent: Grader, before: str | None) -> None:
    alone = [told(descent.grade(submission(text))) for text in (RIGHT, before)]
    after = [told(descent.grade(submission(text))) for text in (before, RIGHT)]
    assert after == alone[::-1]


def test_the_time_of_a_submission_starts_with_it(descent: Grader) -> None:
    late = descent.grade(submission(RIGHT), deadline_s=0.0)
    assert {check.verdict for check in late.checks} == {Verdict.NOT_RUN}
    assert descent.grade(submission(RIGHT)).score == 6.0


def test_a_zygote_that_ended_in_between_is_replaced(descent: Grader) -> None:
    descent.grade(submission(RIGHT))
    starter = find_starter(descent._zygotes.get())
    for pid in (starter, *list_descendants(starter)):
        os.kill(pid, signal.SIGKILL)
    assert descent.grade(submission(RIGHT)).score == 6.0
    assert find_starter(descent._zygotes.get()) != starter


def test_nothing_is_left_of_a_grader_that_is_closed() -> None:
    before = children()
    with Grader(ASSIGNMENT, only=["descent"]) as grader:
        grader.grade(submission(RIGHT))
        watch = Watch(children() - before)
    assert watch.all_end()


def test_the_layers_are_checked_once_and_reported_for_each_submission(tmp_path: Path) -> None:
    with Grader(ASSIGNMENT, only=["descent"], self_check=SelfCheck(tmp_path)) as grader:
        tmp_path.rmdir()
        reports = [grader.grade(submission(RIGHT)) for _ in range(2)]
    assert reports[0].layers == reports[1].layers
    assert {layer.name: layer.reason for layer in reports[1].layers}[SELF_CHECK] == "all stopped"


def test_a_layer_that_only_a_worker_of_the_hidden_pass_lacked_is_reported(
    descent: Grader, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lacking(judge: Judge, tests: Sequence[RunnableTest], *, tell: Callable[[], object]) -> PassResult:
        result = real(judge, tests, tell=tell)
        layer = LayerReport(Layer.LANDLOCK.value, False, "not today")
        is_visible = tests[0].test.visibility is Visibility.VISIBLE
        return result if is_visible else replace(result, layers=(layer,))

    real = Judge.run_pass
    monkeypatch.setattr(Judge, "run_pass", lacking)
    report = descent.grade(submission(RIGHT))
    (landlock,) = (layer for layer in report.layers if layer.name == Layer.LANDLOCK.value)
    assert (landlock.is_active, landlock.reason) == (False, "not today")
