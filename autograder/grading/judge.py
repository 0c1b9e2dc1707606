"""Judge: turns one hidden test and one submission into a result; repeats it where a sibling may be to blame.

One error costs once. A test that fails is repeated in a fresh worker in which the grader's functions stand in for the
student's other graded functions of that question; if it passes then, it has full credit and a note names the function
that spoiled it.
"""

from __future__ import annotations

import math
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from autograder.checks import CheckFailed, NotWritten
from autograder.grading.attempt import Attempt, Material, Memory
from autograder.grading.attempt_result import Trial, not_run, result_of
from autograder.grading.evidence import Evidence
from autograder.grading.hidden_test import HiddenTest
from autograder.grading.second_process import Ahead, Lane
from autograder.results import CheckResult, Verdict, Visibility
from autograder.sandbox import limits as limit
from autograder.sandbox.host.client import SandboxError, Zygote
from autograder.sandbox.host.replies import CallFailed
from autograder.sandbox.protocol.outcome import Outcome, OutcomeKind
from autograder.student import Student, TestCall


@dataclass(frozen=True)
class _Case:
    """A test, its body, the student's functions that are not under test, and whether an attempt took too long."""

    test: HiddenTest
    call: TestCall
    siblings: tuple[str, ...]
    was_late: bool = False


@dataclass
class Judge:
    """Judges the tests of one submission; `deadline` is the monotonic time at which the run ends.

    `zygote`: the one to begin with. It is not there where it failed, and the next attempt then starts another.
    `evidence`: what the tests that failed leave for a diagnosis. `lane`: who tries tests ahead; they are then judged in
    the order that it was made for.
    """

    materials: Mapping[str, Material]
    deadline: float
    make_zygote: Callable[[], Zygote] = Zygote
    memory: Memory = field(default_factory=Memory)
    zygote: Zygote | None = None
    evidence: list[Evidence] = field(default_factory=list)
    lane: Lane | None = None
    _lost_s: float = 0.0  # to a sandbox that failed

    def close(self) -> None:
        """End the zygote."""
        if self.zygote is not None:
            self.zygote.close()
            self.zygote = None

    def start(self) -> Zygote:
        """The zygote; a new one where there is none."""
        if self.zygote is None:
            self.zygote = self.make_zygote()
        return self.zygote

    def judge(self, test: HiddenTest, call: TestCall) -> CheckResult:
        """The result of one test."""
        ahead = self.lane.next() if self.lane is not None else None
        started = time.monotonic() - (ahead.seconds if ahead is not None else 0.0)
        if ahead is None and started >= self.deadline:
            return self._out_of_time(test)
        try:
            case = _Case(test, call, self._siblings(test))
            trial, spoilers = self._follow_through(case, ahead)
            if not trial.is_passed and not trial.is_ours and time.monotonic() >= self.deadline:
                return self._out_of_time(test)
            trial = self._with_consistency_note(case, trial)
            self._keep_evidence(test, call, trial)
            return result_of(test, trial, spoilers, seconds=time.monotonic() - started)
        except Exception:  # noqa: BLE001  (a fault of ours in one test must not take the other tests' results along)
            return result_of(test, Trial(fault=traceback.format_exc(limit=-6)), (), seconds=time.monotonic() - started)

    def ahead(self, test: HiddenTest, call: TestCall) -> Ahead | None:
        """What the lane says of a test: that it passes at once, by itself, or nothing."""
        started = time.monotonic()
        if started >= self.deadline:
            return None
        trial = self._try(_Case(test, call, self._siblings(test)), ())
        return Ahead(trial.notes, time.monotonic() - started, tuple(self.memory.layers)) if trial.is_passed else None

    def _keep_evidence(self, test: HiddenTest, call: TestCall, trial: Trial) -> None:
        if trial.verdict is Verdict.FAILED:
            self.memory.failed.setdefault(test.stem, set()).update(test.functions)
        if trial.verdict in (Verdict.FAILED, Verdict.PARTIAL):
            self.evidence.append(Evidence.of(test, call, replies=trial.replies, observations=trial.observations))

    def _out_of_time(self, test: HiddenTest) -> CheckResult:
        if time.monotonic() - self._lost_s >= self.deadline:
            return not_run(test)
        detail = "the time for the whole submission went to a sandbox that failed"
        return result_of(test, Trial(outcome=Outcome(OutcomeKind.SANDBOX_FAILED, detail=detail)), (), seconds=0.0)

    def _follow_through(self, case: _Case, ahead: Ahead | None) -> tuple[Trial, tuple[str, ...]]:
        test = case.test
        first = self._found(case, ahead) or self._try(case, ())
        if first.is_passed or first.is_ours or not case.siblings or not _may_be_a_siblings_fault(first, test):
            self.memory.endless.update(test.functions if first.is_late else ())
            return first, ()
        case = replace(case, was_late=first.is_late)
        isolated = self._try(case, case.siblings)
        if isolated.is_ours:
            return isolated, ()
        if not isolated.is_passed:
            self.memory.endless.update(test.functions if isolated.is_late else ())
            return first.better(isolated).with_advice_of(first).with_replies_of(isolated), ()
        spoilers = self._spoilers(case)
        self.memory.endless.update(spoilers if first.is_late else ())
        return isolated, spoilers

    def _found(self, case: _Case, ahead: Ahead | None) -> Trial | None:
        """The trial that passed ahead, unless it would be given less time now."""
        if ahead is None or self._cpu_s(case, ()) < limit.CPU_S:
            return None
        self.memory.layers_ahead = ahead.layers
        return Trial(notes=ahead.notes)

    def _with_consistency_note(self, case: _Case, trial: Trial) -> Trial:
        """A note where functions pass only because one that is wrong by itself is the student's too.

        Looked for in each test of a function until one passes with the grader's in place of those that are wrong.
        """
        failed = self.memory.failed.get(case.test.stem, set())
        wrong = tuple(name for name in case.siblings if any(_is_part(each, name) for each in failed))
        key = (*case.test.functions, "", *wrong)
        is_short = time.monotonic() >= self.deadline or not self.memory.endless.isdisjoint(wrong)
        if not wrong or not trial.is_passed or key in self.memory.consistent or is_short:
            return trial
        other = self._try(case, wrong)
        if other.failed is None:
            self.memory.consistent.add(key)
            return trial
        alone = tuple(name for name in wrong if self._try(case, (name,)).failed is not None)
        return replace(trial, notes=(*trial.notes, _consistency_note(case.test.functions, alone or wrong)))

    def _spoilers(self, case: _Case) -> tuple[str, ...]:
        """The siblings each of which alone, being the grader's, has the test pass; or those that all have to be."""
        known = [sibling for sibling in case.siblings if sibling in self.memory.endless]
        others = [sibling for sibling in case.siblings if sibling not in known]
        for candidates in (known, others) if case.was_late else (case.siblings,):  # an endless one costs time each time
            alone = tuple(sibling for sibling in candidates if self._try(case, (sibling,)).is_passed)
            if alone:
                return alone
        needed = case.siblings
        for sibling in case.siblings:
            fewer = tuple(other for other in needed if other != sibling)
            needed = fewer if self._try(case, fewer).is_passed else needed
        return needed

    def _siblings(self, test: HiddenTest) -> tuple[str, ...]:
        """The student's other functions; a class that is not under test counts as one, whatever methods are graded."""
        question = self.materials[test.stem].question
        if question.answers:  # no answer calls another
            return ()
        names = [function.name for function in question.functions]
        classes = {name.partition(".")[0] for name in test.functions}
        others = [name for name in names if name not in test.functions]
        return tuple(
            dict.fromkeys(name if name.partition(".")[0] in classes else name.partition(".")[0] for name in others)
        )

    def _try(self, case: _Case, substituted: tuple[str, ...]) -> Trial:
        trial = self._try_noting_loss(case, substituted)
        # What the machine did once it need not do twice; student code that ends itself does, and a second failure of
        # the sandbox is reported.
        was_killed = trial.outcome is not None and trial.outcome.was_killed
        return self._try_noting_loss(case, substituted) if was_killed or _is_sandbox_failure(trial) else trial

    def _try_noting_loss(self, case: _Case, substituted: tuple[str, ...]) -> Trial:
        started = time.monotonic()
        trial = self._try_once(case, substituted)
        if _is_sandbox_failure(trial):
            self.close()  # the next attempt has a new zygote
            self._lost_s += time.monotonic() - started
        return trial

    def _try_once(self, case: _Case, substituted: tuple[str, ...]) -> Trial:
        try:
            zygote = self.start()
        except (SandboxError, OSError) as error:
            return Trial(outcome=Outcome(OutcomeKind.SANDBOX_FAILED, detail=str(error)))
        attempt = Attempt(
            zygote,
            self.materials,
            self.memory,
            case.test.functions,
            self.deadline,
            cpu_s=self._cpu_s(case, substituted),
            substituted=substituted,
        )
        try:
            trial = _run(attempt, case)
        finally:
            _close(attempt)
        return self._try_once(case, substituted) if attempt.is_to_be_repeated else trial

    def _cpu_s(self, case: _Case, substituted: tuple[str, ...]) -> int:
        """CPU seconds of a worker: few where some function of the student's in it is known not to end."""
        taking_part = {*case.test.functions, *case.siblings}.difference(substituted)
        is_short = case.was_late or not taking_part.isdisjoint(self.memory.endless)
        return limit.CPU_AFTER_TIMEOUT_S if is_short else limit.CPU_S


def _is_part(function: str, name: str) -> bool:
    return function == name or function.startswith(f"{name}.")


def _consistency_note(functions: tuple[str, ...], wrong: tuple[str, ...]) -> str:
    ours, theirs = " and ".join(functions), " and ".join(wrong)
    return (
        f"Right together, wrong alone: this passes with your own {theirs}, which fails its own tests, and fails with "
        f"the grader's. Mend {theirs} and {ours} together."
    )


def _is_sandbox_failure(trial: Trial) -> bool:
    return trial.outcome is not None and trial.outcome.kind is OutcomeKind.SANDBOX_FAILED


def _run(attempt: Attempt, case: _Case) -> Trial:
    trial = _trial_of(attempt, case)
    trial = replace(trial, replies=tuple(attempt.replies), observations=tuple(attempt.observations))
    if trial.verdict is not Verdict.FAILED or case.test.visibility is not Visibility.VISIBLE:
        return trial
    return replace(trial, reproducer=attempt.reproducer(trial.failed.expectations if trial.failed else ()))


def _trial_of(attempt: Attempt, case: _Case) -> Trial:
    try:
        score = _checked_score(case.call(Student(attempt)), case.test.points)
    except CheckFailed as failed:
        return Trial(failed=failed, printed=attempt.printed)
    except NotWritten as stub:
        return Trial(outcome=Outcome(OutcomeKind.NOT_WRITTEN, detail=str(stub)))
    except CallFailed as error:
        return Trial(outcome=error.outcome, printed=attempt.printed)
    except Exception:  # noqa: BLE001  (a mistake in a hidden test is our fault, and is reported as ours)
        return Trial(fault=traceback.format_exc(limit=-6))
    return Trial(score=score, notes=tuple(attempt.notes))


def _checked_score(score: float | None, points: float) -> float | None:
    if score is None:
        return None
    if not math.isfinite(score):
        raise ValueError(f"set_score({score}) in a hidden test")
    return None if score >= points else score


def _close(attempt: Attempt) -> None:
    try:
        attempt.close()
    except SandboxError:  # the next attempt meets the same zygote and reports it
        return


def _may_be_a_siblings_fault(trial: Trial, test: HiddenTest) -> bool:
    """False where the function under test is itself missing, or its file is."""
    outcome = trial.outcome
    if outcome is None:
        return True
    if outcome.is_at_load or (outcome.kind is OutcomeKind.NOT_WRITTEN and not outcome.frames):
        return False
    if outcome.kind is not OutcomeKind.NOT_WRITTEN:
        return True
    return outcome.frames[-1].function not in {name.rpartition(".")[2] for name in test.functions}
