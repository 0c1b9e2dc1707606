"""Judge: turns the hidden tests of one pass and a submission into the results that are reported.

Students see the results of the pass over the visible tests at once. Nothing that the pass over all others learns can
reach it: the two passes of a submission share no judge, no worker and no memory. Only `Judge.learn` leads from one to
the other, from the visible one.

A test is first tried in the worker that its pass shares (`shared_workers`). Where it does not pass there,
`follow_through` decides which attempts are made and what they cost, and `attempt_run` makes one, again where the
machine failed or a library had to be loaded. Replies of a test that lost points are kept as evidence for the diagnosis.

The output of a visible check has its first failing case, as lines to paste, if they show it: its program runs once more
in a fresh worker, where nothing runs before it. A reply that is right there is told instead: the student's code keeps
something from call to call. That is told of a hidden check, too, whose lines are not shown.
"""

from __future__ import annotations

import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import partial

from autograder.assignment import Question
from autograder.checks.checks import is_right
from autograder.contracts import CheckBody
from autograder.contracts.body import FailingCase
from autograder.contracts.case import GRADIENT_CHECK
from autograder.grading import explain
from autograder.grading.attempt import Attempt, Body, Reason, Tried, count_bytes
from autograder.grading.attempt_run import AttemptRunner
from autograder.grading.ending import Ending, Failed, NotRun, NoValue, Ours, Partial, Passed, find_failure
from autograder.grading.follow_through import CheckTries, ResultMemory, judge_check
from autograder.grading.hidden_test import HiddenTest, RunnableTest
from autograder.grading.material import Material
from autograder.grading.shared_workers import SharedWorkers
from autograder.grading.student_module import StudentModule
from autograder.plain_text import clean
from autograder.programs.calls import give_function
from autograder.programs.outcome import CallFailed, Outcome, OutcomeKind
from autograder.programs.program import run_program
from autograder.results import CheckResult, Verdict, Visibility
from autograder.sandbox import limits as limit
from autograder.sandbox.host.client import SandboxError
from autograder.sandbox.host.exports import TOO_MANY_CALLS
from autograder.sandbox.limits import STANDARD, Limits
from autograder.sandbox.protocol.layers import LayerReport

_FAULT_CHARACTERS = 10_000
_NOTE_CHARACTERS = 500
_OF_TEST = (
    "test_id",
    "question_id",
    "functions",
    "title",
    "number",
    "points",
    "visibility",
    "is_robustness",
    "is_advice",
)
_NOT_JUDGED = "Not judged: the grader itself failed here. This is not your fault. There is no score, and staff see why."
_NOT_RUN = "Not run: earlier checks used up the time for the whole submission. Look for slow or endless functions."


@dataclass(frozen=True)
class Evidence:
    """A failed test; `replies` are values and Outcomes in order, None if they were too large to keep.

    `observations`: other facts that the test noted; they separate mistakes with the same replies.
    """

    test: HiddenTest
    call: Body
    replies: tuple[object, ...] | None
    observations: tuple[object, ...]

    @property
    def size(self) -> int:
        """The estimated bytes of replies and observations."""
        return count_bytes([self.replies, self.observations])

    def fit(self, left_bytes: int) -> Evidence:
        """Return it without replies and observations if they are too large for one test or for the bytes left."""
        if self.replies is not None and self.size <= min(left_bytes, limit.EVIDENCE_BYTES):
            return self
        return Evidence(self.test, self.call, None, ())


@dataclass(frozen=True)
class PassResult:
    """The results of one pass, in the order of its tests; `layers`: of the last worker of each part of it."""

    checks: tuple[CheckResult, ...]
    evidence: tuple[Evidence, ...]
    layers: tuple[LayerReport, ...]


def split_into_passes(
    tests: Iterable[RunnableTest], questions: Mapping[str, Question]
) -> tuple[list[RunnableTest], list[RunnableTest]]:
    """Return the visible tests and all others, by the order of questions, of the functions judged, and of numbers.

    Gradient checks are the last of their question, whose worker they share, as they call functions most often: where
    one does not end, other tests know it.
    """
    question_ids = list(questions)

    def find_place(each: RunnableTest) -> tuple[int, bool, int, tuple[int, ...]]:
        test, call = each
        is_last = isinstance(call, CheckBody) and call.check.purpose == GRADIENT_CHECK
        position = questions[test.question_id].find_position(test.functions)
        return question_ids.index(test.question_id), is_last, position, test.order

    ordered = sorted(tests, key=find_place)
    visible: list[RunnableTest] = []
    others: list[RunnableTest] = []
    for each in ordered:
        of_pass = visible if each.test.visibility is Visibility.VISIBLE else others
        of_pass.append(each)
    return visible, others


@dataclass
class Judge:
    """Judges the tests of one pass over a submission; use `contextlib.closing`, or call `close`.

    `evidence`: the tests that lost points, for a diagnosis. `_shared`: finds passes by fewer workers.
    """

    runner: AttemptRunner
    memory: ResultMemory = field(default_factory=ResultMemory)
    evidence: list[Evidence] = field(default_factory=list)
    _evidence_bytes: Counter[str] = field(default_factory=Counter)  # by the id of the question
    _shared: SharedWorkers | None = None

    def close(self) -> None:
        """End the worker that first attempts share."""
        if self._shared is not None:
            self._shared.close()

    def run_pass(self, tests: Sequence[RunnableTest], *, tell: Callable[[], object]) -> PassResult:
        """Judge tests with a judge that judged no other; `tell` is called for each.

        The tests of a question come in the order of its functions, since later functions rely on earlier ones.
        """
        self._shared = SharedWorkers(self.runner, tests)
        checks: list[CheckResult] = []
        for test, call in tests:
            checks.append(self.judge(test, call))
            tell()
        self.close()
        layers = tuple(self.runner.memory.layers)
        return PassResult(tuple(checks), tuple(self.evidence), layers)

    def judge(self, test: HiddenTest, call: Body) -> CheckResult:
        """Return the result of one test; the tests of the functions before its own have to be judged before it."""
        self.runner.memory.start_check()
        started = time.monotonic()
        try:
            tried = self._judge(test, call)
            check = self._build_result(test, tried, started)
        except Exception:  # noqa: BLE001  (a fault of ours in one test must not take the other tests' results along)
            tried = Tried(Ours(traceback.format_exc(limit=-6)))
            check = self._build_result(test, tried, started)
        self.memory.record(test, tried)
        return check

    def _build_result(self, test: HiddenTest, tried: Tried, started: float) -> CheckResult:
        seconds = time.monotonic() - started
        return build_check_result(test, tried, seconds=seconds, limits=self.runner.limits)

    def learn(self, visible: Judge) -> None:
        """Learn the results of the visible pass, before the hidden one: what fails, and how files load."""
        self.memory.continue_from(visible.memory)
        self.runner.memory.loads = deepcopy(visible.runner.memory.loads)
        self.runner.memory.named = set()

    def _judge(self, test: HiddenTest, call: Body) -> Tried:
        if time.monotonic() >= self.runner.deadline:
            return self._report_out_of_time()
        check = CheckTries(self.runner, self.memory, test, call)
        shared = None
        if check.may_wait:  # it would only wait once more, in the worker that has it already
            self.close()
        elif self._shared is not None:
            shared = self._shared.try_first(RunnableTest(test, call))
        if shared is not None and shared.is_passed:
            return shared
        tried = judge_check(check, shared)
        is_lost = isinstance(tried.ending, (Partial, Failed, NoValue))
        if is_lost and time.monotonic() >= self.runner.deadline:
            return self._report_out_of_time()
        if _is_evidence(tried):
            self._keep_evidence(test, call, tried)
        if tried.failing is not None:
            tried = add_lines(self.runner, self.memory, test, tried, tried.failing)
        if shared is None:
            return replace(tried, reasons=tuple(check.reasons))
        was_wrong = isinstance(shared.ending, (Partial, Failed))
        is_alone = check.reasons[-1:] == [Reason.ALONE]  # with the grader's functions other values are right
        contradicts = was_wrong and is_alone and tried.is_passed
        return replace(tried, reasons=(*shared.reasons, *check.reasons), contradicts=contradicts)

    def _keep_evidence(self, test: HiddenTest, call: Body, tried: Tried) -> None:
        left = limit.QUESTION_EVIDENCE_BYTES - self._evidence_bytes[test.question_id]
        whole = Evidence(test, call, tried.replies, tried.observations)
        made = whole.fit(left)
        self._evidence_bytes[test.question_id] += made.size
        self.evidence.append(made)

    def _report_out_of_time(self) -> Tried:
        """Return the end of a test for which no time is left; our fault if a sandbox that failed took it."""
        if time.monotonic() - self.runner.lost_s < self.runner.deadline:
            return Tried(Ours("the time for the whole submission went to a sandbox that failed", by_sandbox=True))
        return Tried(NotRun())


def _is_evidence(tried: Tried) -> bool:
    """Whether a test lost points by what student code did in it."""
    ending = tried.ending
    if isinstance(ending, NoValue):
        return ending.verdict is Verdict.FAILED and not ending.uncalled
    return isinstance(ending, (Partial, Failed))


def build_check_result(
    test: HiddenTest, tried: Tried, *, seconds: float = 0.0, limits: Limits = STANDARD
) -> CheckResult:
    """Return the result to report of a test; `limits`: of the worker."""
    ending = tried.ending
    return CheckResult(
        **{name: getattr(test, name) for name in _OF_TEST},
        verdict=ending.verdict,
        score=_compute_score(test, ending),
        outcome=tried.outcome_name,
        output=_write_output(test, tried, limits),
        was_run=not (isinstance(ending, NoValue) and ending.uncalled),
        fault=clean(ending.fault, _FAULT_CHARACTERS) if isinstance(ending, Ours) else "",
        replaced=ending.replaced if isinstance(ending, Passed) else (),
        seconds=seconds,
        leaderboard=ending.entry if isinstance(ending, (Passed, Partial)) else None,
        attempts=tuple(reason.value for reason in tried.reasons),
        contradicts=tried.contradicts,
    )


def _compute_score(test: HiddenTest, ending: Ending) -> float | None:
    match ending:
        case Ours():
            return None
        case Passed():
            return test.points
        case Partial(score):
            return max(score, 0.0)
    return 0.0


def _write_output(test: HiddenTest, tried: Tried, limits: Limits) -> str:
    match tried.ending:
        case Ours():
            return _NOT_JUDGED
        case NotRun():
            return _NOT_RUN
        case Passed(notes, replaced=names, at_fault=at_fault):
            return "\n".join(["Passed.", *_clean_notes(notes), *_note_replaced(names, at_fault)])
        case Partial(failed=None, notes=notes):
            return "\n".join(["Partial.", *_clean_notes(notes)])
    if test.hide_errors is not None:
        return test.hide_errors
    shows_values = test.visibility is Visibility.VISIBLE
    text = _explain_loss(tried.ending, shows_values=shows_values, limits=limits)
    if test.is_advice:
        text = explain.mark_as_advice(text)
    more = _list_more(tried) if shows_values else [tried.lines]
    return "\n".join(filter(None, [text, *more]))


def _clean_notes(notes: tuple[str, ...]) -> list[str]:
    return [explain.clean_student_text(note, _NOTE_CHARACTERS) for note in notes]


def _note_replaced(replaced: tuple[str, ...], at_fault: tuple[str, ...]) -> list[str]:
    if not replaced:
        return []
    names = " and ".join(replaced)
    look = f"Look at {' and '.join(at_fault)}."
    return [f"Full credit: this passes with the grader's {names} in place of yours. {look}"]


def _explain_loss(ending: Ending, *, shows_values: bool, limits: Limits) -> str:
    failed = find_failure(ending)
    if failed is not None:
        return explain.explain_check(failed, shows_values=shows_values)
    assert isinstance(ending, NoValue)  # noqa: S101  (the others are told before, for the type checker)
    if ending.uncalled:
        return explain.explain_endless(ending.uncalled)
    shows_texts = shows_values and ending.shows_texts
    return explain.explain_outcome(ending.outcome, shows_values=shows_texts, limits=limits)


def _list_more(tried: Tried) -> list[str]:
    """List what a visible test that lost points shows after its failure."""
    more = []
    if isinstance(tried.ending, (Partial, Failed, NoValue)):
        more.append(explain.explain_replaced(tried.ending.replaced))
    more.append(tried.lines)
    more.append(explain.explain_printed(tried.printed))
    return more


def add_lines(
    runner: AttemptRunner, memory: ResultMemory, test: HiddenTest, tried: Tried, failing: FailingCase
) -> Tried:
    """Add the lines, or that the case is right alone; neither where student code ends there in another way.

    A program that does not end there was late. Of a hidden check, a case is tried that others ran before.
    Where the student's functions agree with each other alone, that is told of both kinds of check.
    """
    is_visible = test.visibility is Visibility.VISIBLE
    if not is_visible and failing.end is not None:
        return tried
    attempt = Attempt(test.functions, runner.deadline, need=test.need)
    material = runner.materials[test.question_id]
    try:
        with runner.open_run(attempt, test.question_id) as run:
            module = run.functions
            lines = failing.write(material.adapt, module.spell) if is_visible else ""
            is_told = lines or (failing.number and not is_visible)
            if not is_told:
                return _add_partner(material, module, tried, failing)
            reply = None if _is_too_long(tried, failing) else module.run([failing.program])[0]
            end = next(iter(module.ends), None)
            is_shown = reply is not None and end is None and failing.is_shown_by(reply)
            if is_shown:
                tried = _add_partner(material, module, tried, failing)
    except (CallFailed, SandboxError, OSError):
        return tried
    has_ended = failing.end is not None
    if end is not None and not has_ended:  # only here
        if end.kind is OutcomeKind.TIMED_OUT:
            memory.add_late(test)
        return tried
    if reply is None or end is not None or (is_shown and not has_ended):
        return _add(tried, explain.explain_reproducer(lines)) if is_visible else tried
    is_replaced = isinstance(tried.ending, (Partial, Failed, NoValue)) and tried.ending.replaced
    return tried if has_ended or is_replaced else _add(tried, explain.RIGHT_ALONE)


def _add(tried: Tried, text: str) -> Tried:
    return replace(tried, lines="\n".join(filter(None, [tried.lines, text])))


def _add_partner(material: Material, module: StudentModule, tried: Tried, failing: FailingCase) -> Tried:
    """Add that the case is right with an earlier function of the student's in place of one that the test gives."""
    for function in material.question.list_prerequisites(failing.check.function.split()):
        program = give_function(failing.program, function.name)
        if program is None or function.name in material.classes:
            continue
        (right,) = run_program(program, partial(getattr, material.reference))
        (found,) = module.run([program])[0]
        if not isinstance(right, Outcome) and is_right(found, right):
            return _add(tried, explain.PAIR.format(function.name))
    return tried


def _is_too_long(tried: Tried, failing: FailingCase) -> bool:
    ending, end = tried.ending, failing.end
    if isinstance(ending, NoValue) and ending.outcome.refusal == TOO_MANY_CALLS:
        return True
    return end is not None and end.kind is OutcomeKind.TIMED_OUT
