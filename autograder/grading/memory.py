"""Memory: facts learned from earlier attempts at one submission, which save time in later ones.

Two records, and each pass has its own, so that nothing of a hidden test can reach a visible one. `WorkerMemory` holds
what workers said, so it is untrusted, and only `student_module` writes it; `ResultMemory` holds what the grader
concluded from results, and only `judge` and `follow_through` write it. A right function loses nothing: less time than
`CPU_AFTER_TIMEOUT_S` is final only for a function that has not ended in a test of its own before, or that does not
compute.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from autograder.assignment import Prerequisite
from autograder.grading.hidden_test import HiddenTest
from autograder.grading.statement_load import FileLoad
from autograder.results import Verdict
from autograder.sandbox import limits as limit
from autograder.sandbox.preload import is_library_module
from autograder.sandbox.protocol.layers import LayerReport

_LOST = frozenset({Verdict.FAILED, Verdict.PARTIAL, Verdict.NOT_WRITTEN})
_OPEN = frozenset({Verdict.UNDECIDED, Verdict.NOT_RUN})


@dataclass
class Waiting:
    """The seconds that workers of one pass took until their time was up.

    `in_vain_s`: of these, those with a full limit after the time for waiting was spent.
    """

    in_vain_s: float = 0.0
    _seconds: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))  # by the id of the question

    def add(self, stem: str, seconds: float) -> None:
        """Add the seconds of a worker of this question whose time was up."""
        self._seconds[stem] += seconds

    @property
    def total_s(self) -> float:
        """The seconds of all questions."""
        return sum(self._seconds.values())

    def is_spent(self, stem: str) -> bool:
        """Whether the question, or the submission, has used up the time for waiting."""
        return self._seconds.get(stem, 0.0) >= limit.WAIT_QUESTION_S or self.total_s >= limit.WAIT_SUBMISSION_S


@dataclass
class WorkerMemory:
    """Facts that workers of one submission reported in one pass.

    `loads`: how files were loaded, by question and whether supplied modules replace the student's copies of them.
    `load_libraries`: by question, the library modules that no source names but that its file asked for while it was
    loaded. `libraries`: those that an import asked for later, in attempts at the present check. `layers`: the layers of
    the last worker. `declared`: the packages that the assignment declares. `waiting`: how long workers took that were
    out of time.
    """

    loads: defaultdict[tuple[str, bool], FileLoad] = field(default_factory=lambda: defaultdict(FileLoad))
    load_libraries: dict[str, list[str]] = field(default_factory=dict)
    libraries: dict[str, list[str]] = field(default_factory=dict)
    layers: Sequence[LayerReport] = ()
    declared: frozenset[str] = frozenset()
    waiting: Waiting = field(default_factory=Waiting)

    def learn_library(self, stem: str, module: str, *, is_loading: bool) -> bool:
        """Have later workers of the question preload a module; False where that was done before or may not be.

        `is_loading`: the file asked for it while it was loaded. It does so in every check, unless a library that an
        earlier worker of this check named made it.
        """
        libraries = self.load_libraries if is_loading and not self.libraries.get(stem) else self.libraries
        known = libraries.setdefault(stem, [])
        if module in known or len(known) >= limit.LATE_MODULES or not is_library_module(module, self.declared):
            return False
        known.append(module)
        return True

    def start_check(self) -> None:
        """Forget what a worker said that had received inputs: it holds for one check."""
        self.libraries.clear()


@dataclass
class ResultMemory:
    """Facts that the grader learned from the results of one submission, of functions by question and name.

    Verdicts of hidden tests never reach the memory of the visible pass. `_late`: the tests whose functions did not
    end, not even beside the grader's versions of what they rely on; the hidden pass counts those of the visible one
    too. `_suspected`: functions without which a test ended that did not end with them.
    """

    _verdicts: defaultdict[tuple[str, str], set[Verdict]] = field(default_factory=lambda: defaultdict(set))
    _late: list[HiddenTest] = field(default_factory=list)
    _suspected: set[tuple[str, str]] = field(default_factory=set)

    def continue_from(self, visible: ResultMemory) -> None:
        """Begin with the verdicts of the visible pass, and with its tests that did not end."""
        for function, verdicts in visible._verdicts.items():
            self._verdicts[function] |= verdicts
        self._late += visible._late

    def record(self, test: HiddenTest, verdict: Verdict) -> None:
        """Record the verdict of a test; advice costs no points, and counts for no function."""
        for function in () if test.is_advice else test.functions:
            self._verdicts[test.stem, function].add(verdict)

    def list_lost(self, stem: str, prerequisites: Sequence[Prerequisite]) -> tuple[str, ...]:
        """Return the names of those that lost points in a test of their own, in another pass too."""
        return tuple(each.name for each in prerequisites if self._look_up(stem, each.functions) & _LOST)

    def list_open(self, stem: str, prerequisites: Iterable[Prerequisite]) -> dict[str, Verdict]:
        """Return the names of those that have a test without a verdict of the student's, with that verdict."""
        found = {each.name: self._look_up(stem, each.functions) & _OPEN for each in prerequisites}
        return {name: min(verdicts) for name, verdicts in found.items() if verdicts}

    def list_endless(self, stem: str, prerequisites: Iterable[Prerequisite]) -> tuple[str, ...]:
        """Return the names of those that lost points, did not end in a test of their own, and passed none."""
        late = [each for each in prerequisites if self.may_not_end(stem, each.functions)]
        if not late:
            return ()
        lost = self.list_lost(stem, late)
        counted = {name for each in late for name in each.functions if self.count_late(stem, (name,))}
        endless = {name for name in counted if Verdict.PASSED not in self._look_up(stem, (name,))}
        return tuple(each.name for each in late if each.name in lost and not endless.isdisjoint(each.functions))

    def _look_up(self, stem: str, functions: Iterable[str]) -> set[Verdict]:
        return set().union(*(self._verdicts.get((stem, name), ()) for name in functions))

    def add_late(self, test: HiddenTest) -> None:
        """Count a test whose functions did not end."""
        if not test.is_advice:
            self._late.append(test)

    def suspect(self, stem: str, functions: Iterable[str]) -> None:
        """Record functions without which a test ended that did not end with them."""
        self._suspected.update((stem, name) for name in functions)

    def count_late(self, stem: str, functions: Collection[str]) -> int:
        """Return the number of tests of these functions, or of some of them, that did not end."""
        return sum(each.stem == stem and {*each.functions} <= {*functions} for each in self._late)

    def may_not_end(self, stem: str, functions: Collection[str]) -> bool:
        """Whether one of these functions did not end in a test, or is suspected."""
        names = {name for each in self._late if each.stem == stem for name in each.functions}
        names |= {name for where, name in self._suspected if where == stem}
        return not names.isdisjoint(functions)
