"""Memory: facts learned from earlier attempts at one submission.

Two records, and each pass has its own, so that nothing of a hidden test can reach a visible one. `WorkerMemory` holds
what workers said, so it is untrusted, and only `student_module` writes it; `ResultMemory` holds what the grader
concluded from results, and only `judge` and `follow_through` write it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from autograder.assignment import Prerequisite
from autograder.grading.attempt import Tried
from autograder.grading.hidden_test import HiddenTest
from autograder.grading.statement_load import FileLoad
from autograder.programs.outcome import Frame, Outcome, OutcomeKind
from autograder.results import Verdict
from autograder.sandbox import limits as limit
from autograder.sandbox.preload import is_library_module, may_be_requested
from autograder.sandbox.protocol.layers import LayerReport

_LOST = frozenset({Verdict.FAILED, Verdict.PARTIAL, Verdict.NOT_WRITTEN})
_OPEN = frozenset({Verdict.UNDECIDED, Verdict.NOT_RUN})


@dataclass
class WorkerMemory:
    """Facts that workers of one submission reported in one pass.

    `loads`: how files were loaded, by question, whether supplied modules replace the student's copies of them, and the
    supplied functions that are withheld.
    `load_libraries`: by question, the library modules that no source names but that its file asked for while it was
    loaded. `libraries`: those that an import asked for later, in attempts at the present check. `layers`: the layers of
    the last worker. `declared`: the packages that the assignment declares. `named`: the errors of a hidden pass that a
    result may name, by type and place; None in the visible one.
    """

    loads: defaultdict[tuple[str, bool, tuple[str, ...]], FileLoad] = field(
        default_factory=lambda: defaultdict(FileLoad)
    )
    load_libraries: dict[str, list[str]] = field(default_factory=dict)
    libraries: dict[str, list[str]] = field(default_factory=dict)
    layers: Sequence[LayerReport] = ()
    declared: frozenset[str] = frozenset()
    named: set[tuple[str, tuple[Frame, ...]]] | None = None

    def hide_error(self, outcome: Outcome) -> Outcome:
        """Return how a call failed, without type and place after the first ones of a hidden pass.

        Code can choose each of them by its inputs, and students read them after the due date.
        """
        has_place = outcome.kind in (OutcomeKind.RAISED, OutcomeKind.OUT_OF_MEMORY)
        if self.named is None or not has_place or outcome.is_at_load:
            return outcome
        error = (outcome.error_type, outcome.frames)
        if len(self.named) < limit.NAMED_ERRORS:
            self.named.add(error)
        if error in self.named:
            return outcome
        return Outcome(outcome.kind, detail=outcome.detail or "an exception", refusal=outcome.refusal)

    def learn_library(self, question_id: str, module: str, *, is_loading: bool) -> bool:
        """Have later workers of the question preload a module; False where that was done before or may not be.

        `is_loading`: the file asked for it while it was loaded. It does so in every check, unless a library that an
        earlier worker of this check named made it. What it names then, before any input crosses, may be missing: the
        next worker looks for it in vain, and has a stub of it.
        """
        libraries = self.libraries
        is_first = is_loading and not libraries.get(question_id)
        if is_first:
            libraries = self.load_libraries
        known = libraries.setdefault(question_id, [])
        if module in known or len(known) >= limit.LATE_MODULES:
            return False
        if is_library_module(module, self.declared) or (is_first and may_be_requested(module, self.declared)):
            known.append(module)
        return module in known

    def start_check(self) -> None:
        """Forget what a worker said that had received inputs: it holds for one check."""
        self.libraries.clear()


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

    def list_lost(self, question_id: str, prerequisites: Sequence[Prerequisite]) -> tuple[str, ...]:
        """Return the names of those that lost points in a test of their own, in the visible pass too."""
        return tuple(each.name for each in prerequisites if self._look_up(question_id, each) & _LOST)

    def list_lost_functions(self, question_id: str, prerequisite: Prerequisite) -> tuple[str, ...]:
        """Return the names of those functions of a prerequisite that lost points in a test of their own."""
        return tuple(name for name in prerequisite.functions if self._verdicts[question_id, name] & _LOST)

    def has_earned(self, question_id: str, functions: Iterable[str]) -> bool:
        """Whether one of these functions earned something in a test of its own."""
        verdicts: set[Verdict] = set()
        for name in functions:
            verdicts |= self._verdicts[question_id, name]
        return not verdicts.isdisjoint({Verdict.PASSED, Verdict.PARTIAL})

    def list_passed(self, question_id: str, prerequisites: Sequence[Prerequisite]) -> tuple[str, ...]:
        """Return the names of those that passed all tests of their own so far."""
        return tuple(each.name for each in prerequisites if self._look_up(question_id, each) == {Verdict.PASSED})

    def list_unwritten(self, question_id: str, prerequisites: Sequence[Prerequisite]) -> tuple[str, ...]:
        """Return the names of those of which nothing is written, as a test of their own found."""
        return tuple(each.name for each in prerequisites if Verdict.NOT_WRITTEN in self._look_up(question_id, each))

    def list_open(self, question_id: str, prerequisites: Iterable[Prerequisite]) -> dict[str, Verdict]:
        """Return the names of those that have tests, but none with a verdict of the student's, with that verdict."""
        unjudged = {}
        for each in prerequisites:
            verdicts = self._look_up(question_id, each)
            if verdicts and verdicts <= _OPEN:
                unjudged[each.name] = min(verdicts)
        return unjudged

    def _look_up(self, question_id: str, prerequisite: Prerequisite) -> set[Verdict]:
        verdicts: set[Verdict] = set()
        for name in prerequisite.functions:
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
