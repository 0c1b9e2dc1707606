"""Judge: turns one hidden test and one submission into a result.

A first attempt runs the test on the student's functions alone; a test that fails is followed through, so that one error
costs points once (`follow_through`). Replies of a test that lost points are kept as evidence for the diagnosis.
"""

from __future__ import annotations

import time
import traceback
from collections import Counter
from dataclasses import dataclass, field, replace

from autograder.grading.attempt_result import AttemptResult, build_check_result, build_not_run
from autograder.grading.attempt_runner import AttemptRunner
from autograder.grading.evidence import Evidence
from autograder.grading.follow_through import FollowThrough
from autograder.grading.hidden_test import HiddenTest
from autograder.grading.lines_run import run_lines
from autograder.grading.memory import ResultMemory
from autograder.grading.script_runner import ScriptRunner
from autograder.grading.verdict_feed import Lesson
from autograder.results import CheckResult, Verdict
from autograder.sandbox import limits as limit
from autograder.sandbox.protocol.outcome import Outcome, OutcomeKind
from autograder.student import TestCall


@dataclass
class Judge:
    """Judges the tests of one submission; `deadline` is the monotonic time at which the run ends.

    `scripts`: finds passes by fewer workers and messages. `evidence`: the tests that lost points, for a diagnosis.
    """

    runner: AttemptRunner
    deadline: float
    memory: ResultMemory = field(default_factory=ResultMemory)
    scripts: ScriptRunner | None = None
    evidence: list[Evidence] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._evidence_bytes: Counter[str] = Counter()  # by the id of the question
        self._follow_through = FollowThrough(self.runner, self.deadline, self.memory)

    def judge(self, test: HiddenTest, call: TestCall) -> CheckResult:
        """Return the result of one test; those of the functions before its own have to be judged before it."""
        check = self._judge_safely(test, call)
        self.memory.standings.record(test, check.verdict)
        return check

    def learn(self, lesson: Lesson) -> None:
        """Learn the result of a visible test, for the hidden pass."""
        self.memory.learn(lesson.test, lesson.verdict, lesson.is_late)
        if lesson.load is not None:
            self.runner.memory.learn_late_load(self.runner.materials[lesson.test.stem], lesson.load)

    def describe(self, check: CheckResult) -> Lesson:
        """Describe the result of a visible test for the hidden pass."""
        load = self.runner.memory.describe_late_load(self.runner.materials[check.stem])
        return Lesson(check, check.verdict, self.memory.time_outs.has_counted(check), load)

    def _judge_safely(self, test: HiddenTest, call: TestCall) -> CheckResult:
        self.runner.memory.start_check()
        started = time.monotonic()
        if started >= self.deadline:
            return self._report_out_of_time(test)
        try:
            return self._judge(test, call, started=started)
        except Exception:  # noqa: BLE001  (a fault of ours in one test must not take the other tests' results along)
            result = AttemptResult(fault=traceback.format_exc(limit=-6))
            return build_check_result(test, result, seconds=time.monotonic() - started)

    def _judge(self, test: HiddenTest, call: TestCall, *, started: float) -> CheckResult:
        case = self._follow_through.make_case(test, call)
        passed = self.scripts.find_pass(test) if self.scripts is not None else None
        if passed:
            followed = self._follow_through.follow(case, passed)
        else:
            has_failed = self.scripts is not None and self.scripts.has_failed(test)
            followed = self._follow_through.run(case, has_failed=has_failed)
        result = followed.result
        if result.is_out_of_time:
            return build_not_run(test)
        if not result.is_passed and not result.is_ours and time.monotonic() >= self.deadline:
            return self._report_out_of_time(test)
        followed = self._follow_through.note_consistency(case, followed)
        if result.verdict in (Verdict.FAILED, Verdict.PARTIAL) and not result.endless:
            self._keep_evidence(test, call, result)
        if followed.result.reproducer.text:
            lines = run_lines(self.runner, test, followed.result, self.deadline)
            followed = replace(followed, result=replace(followed.result, reproducer=lines))
        seconds = time.monotonic() - started
        return build_check_result(test, followed.result, followed.replaced, seconds=seconds, limits=self.runner.limits)

    def _keep_evidence(self, test: HiddenTest, call: TestCall, result: AttemptResult) -> None:
        left = limit.QUESTION_EVIDENCE_BYTES - self._evidence_bytes[test.stem]
        made = Evidence(test, call, result.replies, result.observations).fit(left)
        self._evidence_bytes[test.stem] += made.size
        self.evidence.append(made)

    def _report_out_of_time(self, test: HiddenTest) -> CheckResult:
        if time.monotonic() - self.runner.lost_s >= self.deadline:
            return build_not_run(test)
        detail = "the time for the whole submission went to a sandbox that failed"
        result = AttemptResult(outcome=Outcome(OutcomeKind.SANDBOX_FAILED, detail=detail))
        return build_check_result(test, result, seconds=0.0)
