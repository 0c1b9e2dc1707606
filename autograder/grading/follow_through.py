"""Follow-through: decides what one check costs, in how many attempts, and whether it was late.

One error costs once. A function may rely on the functions before it in the assignment. A check that fails is repeated
once with the grader's versions of exactly those earlier functions that lost points in checks of their own; if it passes
then, it has full credit, and a note names what the student wrote of them. A visible check has it, too, where it passes
with the grader's versions of functions that lost nothing, if the student's are wrong for its inputs.

A check is late if its last attempt was. After two late checks of a function in the visible pass it is called neither
there nor in the hidden pass again; after two in the hidden pass, not there. No check waits for an earlier function
that was late: it starts with the repetition.

What a pass has found out of functions is in its `ResultMemory`, which only this module and `judge` write.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace

from autograder.assignment import find_owner
from autograder.grading.attempt import Attempt, Body, Reason, Tried
from autograder.grading.attempt_run import AttemptRunner
from autograder.grading.ending import (
    Ending,
    Failed,
    NotRun,
    NoValue,
    Ours,
    Partial,
    Passed,
    combine,
    find_failure,
    hide_answers,
)
from autograder.grading.hidden_test import HiddenTest
from autograder.plain_text import join_words
from autograder.programs.outcome import Outcome, OutcomeKind
from autograder.results import Verdict, Visibility
from autograder.sandbox import limits as limit

_LOST = frozenset({Verdict.FAILED, Verdict.PARTIAL, Verdict.NOT_WRITTEN})
_OPEN = frozenset({Verdict.UNDECIDED, Verdict.NOT_RUN})
_EARNED = frozenset({Verdict.PASSED, Verdict.PARTIAL})


def judge_check(check: CheckTries, shared: Tried | None) -> Tried:
    """Return what to report on a check; `shared`: it was tried with the others in one worker, and did not pass.

    It is tried (1) with the grader's versions of earlier functions, first where that may decide it, (2) alone, (3) with
    these versions, if it was not before, (4) with versions of earlier functions that lost nothing. A pass ends it.
    """
    test = check.test
    shared = None if shared is None else check.settle(shared)
    if check.memory.is_endless(test):
        return Tried(NoValue(Outcome(OutcomeKind.TIMED_OUT), uncalled=test.functions), replies=None)
    followed = check.follow() if check.follows_first(shared) else None
    if followed is not None and isinstance(followed.ending, Passed):
        return check.credit(followed, followed.ending)
    alone = check.try_alone(shared, followed)
    if alone is not None and not may_be_anothers_fault(alone.ending, test):
        return alone
    if followed is None and check.has_others:
        followed = check.follow()
        if isinstance(followed.ending, Passed):
            return check.credit(followed, followed.ending)
    last = followed or alone
    assert last is not None  # noqa: S101  (it was tried with the grader's functions, or alone)
    if isinstance(last.ending, Ours):
        return last
    excused = check.excuse(last)
    if excused is not None:
        return excused
    if check.open:
        return replace(last, ending=_leave_open(check.open))
    if last.is_late:
        check.memory.add_late(test)
    return check.choose(alone, last)


class CheckTries:
    """The attempts at one check.

    `lost`: the earlier functions that lost points in checks of their own. `copies`: the student's copies of modules
    that the grader supplies. `open`: earlier functions that are not judged themselves. `relies_on_late`: one that was
    late is replaced. `may_wait`: one of those, or a function under test, was late before.
    """

    def __init__(self, runner: AttemptRunner, memory: ResultMemory, test: HiddenTest, call: Body) -> None:
        self.memory = memory
        self.test = test
        self.reasons: list[Reason] = []
        self._runner = runner
        self._call = call
        question_id = test.question_id
        material = self._material = runner.materials[question_id]
        earlier = material.question.list_prerequisites(test.functions)
        self._parts = {each.name: each.functions for each in earlier}
        verdicts = {name: memory.find_verdicts(question_id, parts) for name, parts in self._parts.items()}
        self.lost = tuple(name for name, own in verdicts.items() if own & _LOST)
        self.open = {name: min(own) for name, own in verdicts.items() if own and own <= _OPEN}
        classes = material.classes
        owners = classes.keys() & set(map(find_owner, test.functions))
        unwritten = [name for name, own in verdicts.items() if Verdict.NOT_WRITTEN in own]
        self._unwritten = [name for name in unwritten if find_owner(name) in owners]
        self.copies = material.copies
        lost_functions: list[str] = []
        for name in self.lost:
            lost_functions += self._parts[name]
        self.relies_on_late = memory.was_late(question_id, lost_functions)
        self.may_wait = self.relies_on_late or memory.was_late(question_id, test.functions)
        passed = [name for name, own in verdicts.items() if own == {Verdict.PASSED}]
        self._suspects = tuple(name for name in passed if find_owner(name) not in classes)
        self._of_classes = [name for name in self.lost if find_owner(name) in classes]
        self._runs_constructors = not memory.was_fatal(question_id, lost_functions)

    def attempt(self, reason: Reason, **options: bool | tuple[str, ...]) -> Tried:
        """Run the check once more; `options`: see `Attempt`."""
        test, deadline = self.test, self._runner.deadline
        attempt = Attempt(test.functions, deadline, reason, test.need, **options)  # type: ignore[arg-type]
        tried = self._runner.run(attempt, self.test, self._call)
        self.reasons += tried.reasons
        return self.settle(tried)

    def settle(self, tried: Tried) -> Tried:
        """Return what was tried, with another end where the student's text decides whether the function is a stub.

        Starter code in which nothing is written is one, whatever it returns, unless a check found it right. Values of a
        stub are wrong where code gives them, unless that code rests on another method of the class that is not written.
        """
        ending, functions = tried.ending, self.test.functions
        is_lost = isinstance(ending, (Failed, NoValue)) and ending.verdict is Verdict.FAILED
        is_unread = isinstance(ending, NoValue) and ending.outcome.is_at_load  # Python may not see a function as we do
        gap = "" if is_unread else self._material.find_gap(functions)
        earned = self.memory.find_verdicts(self.test.question_id, functions) & _EARNED
        if is_lost and gap and not earned:
            outcome = Outcome(OutcomeKind.NOT_WRITTEN, detail=gap)
            return replace(tried, ending=NoValue(outcome), failing=None)
        if not isinstance(ending, NoValue) or ending.otherwise is None:
            return tried
        if self._material.has_code(functions):
            if not self._unwritten:
                return replace(tried, ending=Failed(ending.otherwise.copy_with(earned={})))
            detail = f"it does nothing without {join_words(self._unwritten)}"
            ending = replace(ending, outcome=replace(ending.outcome, detail=detail))
        return replace(tried, ending=ending, failing=None)

    def follow(self) -> Tried:
        """Run the check with the grader's versions of what lost points, and without copies of what it supplies."""
        return self.attempt(
            Reason.FOLLOW_THROUGH,
            substituted=self.lost,
            supplied_wins=bool(self.copies),
            runs_constructors=self._runs_constructors,
        )

    def follows_first(self, shared: Tried | None) -> bool:
        """Whether it starts with the repetition: an earlier function lost points, and alone it would fail or wait."""
        if not self.lost:
            return False
        if shared is None:
            return self.may_wait
        return may_be_anothers_fault(shared.ending, self.test)

    def try_alone(self, shared: Tried | None, followed: Tried | None) -> Tried | None:
        """Run the check with the student's functions alone; None where it would wait for one that is late."""
        if followed is not None and self._is_same_alone(followed):
            return followed
        if self.relies_on_late or (followed is not None and followed.is_late):
            return None
        return self.attempt(Reason.FIRST if shared is None else Reason.ALONE)

    @property
    def has_others(self) -> bool:
        """Whether the grader has versions of functions or modules that may be at fault."""
        return bool(self.lost or self.copies)

    def _is_same_alone(self, followed: Tried) -> bool:
        """Whether the check would do the same alone: it called nothing of the grader's, nor used it without a call."""
        if isinstance(followed.ending, Ours):
            return False
        return not (followed.used or self.copies or self._of_classes)

    def excuse(self, last: Tried) -> Tried | None:
        """Return a pass of a visible check whose inputs earlier functions answer wrongly; `last`: how it ended before.

        Their own visible checks ask for nothing of the kind, and what hidden ones show may not be told yet.
        """
        if not self._suspects or self.relies_on_late or self.test.visibility is not Visibility.VISIBLE:
            return None
        substituted = (*self.lost, *self._suspects)
        need = limit.shorten(self.test.need) if last.is_late else self.test.need
        # Only a pass is reported, so that nothing else is settled or recorded.
        attempt = Attempt(self.test.functions, self._runner.deadline, Reason.FOLLOW_THROUGH, need, substituted)
        tried = self._runner.run(attempt, self.test, self._call)
        if not isinstance(tried.ending, Passed):
            return None
        suspected = [each for each in tried.asked if each.name in self._suspects]
        wrong = self._runner.find_wrong(self.test.functions, self.test.question_id, suspected)
        if not wrong:
            return None
        self.reasons += tried.reasons
        taking_part = [*wrong, *self._list_taking_part(tried)]
        names = [name for name in substituted if name in taking_part]
        return self._note_replaced(tried, tried.ending, self._material.list_written(names))

    def credit(self, followed: Tried, ending: Passed) -> Tried:
        """Return a pass with the grader's functions, which names what the student wrote of them."""
        written = self._material.list_written(self._list_taking_part(followed))
        names = (*written, *self.copies)
        if written and self.copies:
            names = self._find_culprits(written)
        return self._note_replaced(followed, ending, names)

    def _note_replaced(self, tried: Tried, ending: Passed, names: tuple[str, ...]) -> Tried:
        """Return a pass that names what was replaced, and what of it to look at."""
        at_fault: list[str] = []
        for name in names:
            parts = self._parts.get(name, ())
            lost = [each for each in parts if self.memory.find_verdicts(self.test.question_id, [each]) & _LOST]
            at_fault += lost or [name]
        return replace(tried, ending=replace(ending, replaced=names, at_fault=tuple(at_fault)))

    def _find_culprits(self, written: tuple[str, ...]) -> tuple[str, ...]:
        """Find out whether the functions alone explain a failure, or the copies alone."""
        if self.attempt(Reason.FOLLOW_THROUGH, substituted=self.lost).is_passed:
            return written
        if self.attempt(Reason.FOLLOW_THROUGH, supplied_wins=True).is_passed:
            return self.copies
        return (*written, *self.copies)

    def choose(self, alone: Tried | None, followed: Tried) -> Tried:
        """Return what to report of two attempts that lost points, which may be one.

        The replies, for the diagnosis, come from the attempt with the grader's functions, since no other function's
        mistake is in them. Prints come from the student's functions alone: the grader's would answer any question that
        student code prints. The case to show belongs to the failure.
        """
        if alone is followed:
            return followed
        taking_part = self._material.list_written(self._list_taking_part(followed))
        if alone is None:
            ending = followed.ending
            if followed.used:
                ending = hide_answers(ending)
            return replace(followed, ending=_note(ending, taking_part), printed=b"", failing=None)
        failing = alone.failing
        ending = combine(alone.ending, followed.ending, self.test.points, is_comparable=not self._of_classes)
        if find_failure(ending) is not find_failure(alone.ending):
            ending, failing = _note(ending, taking_part), followed.failing
        return replace(followed, ending=ending, printed=alone.printed, failing=failing)

    def _list_taking_part(self, followed: Tried) -> list[str]:
        return [name for name in self.lost if name in followed.used or name in self._of_classes]


def _note(ending: Ending, replaced: tuple[str, ...]) -> Ending:
    """Return the ending with the functions in whose place the grader's took part."""
    return replace(ending, replaced=replaced) if isinstance(ending, (Partial, Failed, NoValue)) else ending


def _leave_open(unjudged: dict[str, Verdict]) -> Ours | NotRun:
    """Return the ending of a check that fails, but perhaps because of functions that are not judged themselves."""
    if Verdict.UNDECIDED in unjudged.values():
        return Ours(f"it may fail because of {', '.join(unjudged)}, which could not be judged")
    return NotRun()


def may_be_anothers_fault(ending: Ending, test: HiddenTest) -> bool:
    """False for a pass, a fault of ours, and where the function under test is itself missing, or its file is."""
    if not isinstance(ending, NoValue):
        return isinstance(ending, (Partial, Failed))
    outcome = ending.outcome
    if outcome.is_at_load:
        return False
    if outcome.kind is not OutcomeKind.NOT_WRITTEN:
        return True
    if outcome.frames:
        tested = {name.rpartition(".")[2] for name in test.functions}
        return outcome.frames[-1].function not in tested
    return bool(outcome.missing_name) and outcome.missing_name not in test.functions


@dataclass
class ResultMemory:
    """Facts that the grader learned from the results of one submission in one pass, of functions by question and name.

    `_late`: the late checks of this pass, and `_late_before`: of the visible pass, in the hidden one.
    `_fatal`: functions with a check in which student code ended its process, or did not end.
    """

    _verdicts: defaultdict[tuple[str, str], set[Verdict]] = field(default_factory=lambda: defaultdict(set))
    _late: list[HiddenTest] = field(default_factory=list)
    _late_before: list[HiddenTest] = field(default_factory=list)
    _fatal: set[tuple[str, str]] = field(default_factory=set)

    def continue_from(self, visible: ResultMemory) -> None:
        """Begin with what the visible pass has found."""
        for function, verdicts in visible._verdicts.items():
            self._verdicts[function] |= verdicts
        self._late_before = visible._late
        self._fatal |= visible._fatal

    def record(self, test: HiddenTest, tried: Tried) -> None:
        """Record how a test ended; advice costs no points, and counts for no function."""
        if test.is_advice:
            return
        for function in test.functions:
            self._verdicts[test.question_id, function].add(tried.ending.verdict)
            if tried.is_fatal:
                self._fatal.add((test.question_id, function))

    def add_late(self, test: HiddenTest) -> None:
        """Count a late check; one of advice judges no function."""
        if not test.is_advice:
            self._late.append(test)

    def find_verdicts(self, question_id: str, functions: Iterable[str]) -> set[Verdict]:
        """Return how tests of these functions ended, in the visible pass too."""
        verdicts: set[Verdict] = set()
        for name in functions:
            verdicts |= self._verdicts[question_id, name]
        return verdicts

    def is_endless(self, test: HiddenTest) -> bool:
        """Whether its functions are not to be called again: a pass has two late checks of them, or of some."""
        functions = {*test.functions}
        for late in (self._late, self._late_before):
            of_question = [each for each in late if each.question_id == test.question_id]
            of_functions = [each for each in of_question if functions.issuperset(each.functions)]
            if len(of_functions) >= limit.LATE_CHECKS:
                return True
        return False

    def was_late(self, question_id: str, functions: Collection[str]) -> bool:
        """Whether a check of one of these functions was late."""
        named = {*functions}
        for each in (*self._late, *self._late_before):
            if each.question_id == question_id and not named.isdisjoint(each.functions):
                return True
        return False

    def was_fatal(self, question_id: str, functions: Iterable[str]) -> bool:
        """Whether student code ended its process, or did not end, in a check of one of these functions."""
        return any((question_id, name) in self._fatal for name in functions)
