"""Memory: facts learned from earlier attempts at one submission, which save time in later ones.

Two records. `WorkerMemory` holds what workers said, so it is untrusted, and only `student_module` writes it;
`ResultMemory` holds what the grader concluded from results, and only `judge` and `follow_through` write it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from autograder.grading.compiled_files import CompiledFiles
from autograder.grading.hidden_test import HiddenTest
from autograder.grading.material import Material
from autograder.grading.prerequisites import Standings
from autograder.grading.statement_load import LateLoad, StatementLoad, may_load_more
from autograder.grading.waiting import TimeOuts, Waiting
from autograder.results import CheckResult, Verdict
from autograder.sandbox import limits as limit
from autograder.sandbox.host.connection import EndKind
from autograder.sandbox.preload import is_library_module
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.layers import LayerReport
from autograder.sandbox.protocol.outcome import CallFailed, Outcome, OutcomeKind
from autograder.submission import SourceFile

LoadKey = tuple[str, bool]  # the question, and whether supplied modules replace the student's copies of them


@dataclass
class WorkerMemory:
    """Facts that workers of one submission reported in one pass.

    `load_failures`: how modules failed to load. `statement_loads`: the files that failed as a whole, and are loaded
    statement by statement. `load_libraries`: by question, the library modules that no source names but that its file
    asked for while it was loaded. `libraries`: those that an import asked for later, in attempts at the present check.
    `layers`: the layers of the last worker. `shares_code`: whether the files of a question are compiled once for all of
    its workers. `declared`: the packages that the assignment declares. `waiting`: how long workers took that were out
    of time. `late_loads`: loads that were.
    """

    load_failures: dict[LoadKey, Outcome] = field(default_factory=dict)
    statement_loads: dict[LoadKey, StatementLoad] = field(default_factory=dict)
    load_libraries: dict[str, list[str]] = field(default_factory=dict)
    libraries: dict[str, list[str]] = field(default_factory=dict)
    layers: Sequence[LayerReport] = ()
    shares_code: bool = True
    declared: frozenset[str] = frozenset()
    waiting: Waiting = field(default_factory=Waiting)
    late_loads: set[LoadKey] = field(default_factory=set)
    _compiled: dict[str, CompiledFiles] = field(default_factory=dict)

    def get_compiled_files(self, material: Material) -> CompiledFiles:
        """Return the files of a question in the form that workers receive."""
        stem = material.question.stem
        if stem not in self._compiled:
            self._compiled[stem] = CompiledFiles(material.own, material.support, is_wanted=self.shares_code)
        return self._compiled[stem]

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

    def learn_time_out(self, key: LoadKey, started: float, load: EndKind | None) -> None:
        """Record a worker that started then, and whose time was up.

        `load`: how its connection ended while the file was loaded, None after that. A whole file that computes for long
        may still be loaded by its statements, in their own time.
        """
        self.waiting.add(key[0], time.monotonic() - started)
        if load is EndKind.LATE or (load is not None and key in self.statement_loads):
            self.late_loads.add(key)

    def choose_load_wall_s(self, key: LoadKey) -> float:
        """Return the seconds by the clock that a file, or a statement of it, has to load."""
        is_short = key in self.late_loads and self.waiting.is_spent(key[0])
        return limit.WALL_AFTER_WAIT_S if is_short else limit.WALL_PER_CPU * limit.LOAD_CPU_S

    def learn_load(self, key: LoadKey, outcome: Outcome) -> bool:
        """Have a file loaded by statements after this end of a load; False where no other worker can load more."""
        known = self.statement_loads.get(key)
        if not may_load_more(outcome, by_statements=known is not None):
            return False
        known = self.statement_loads.setdefault(key, StatementLoad())
        known.loads += 1
        known.late_loads += outcome.kind is OutcomeKind.TIMED_OUT
        return known.loads <= limit.LOADS and known.late_loads <= limit.LATE_LOADS

    def describe_late_load(self, material: Material) -> LateLoad | None:
        """Describe how the file of a question did not load soon; None where it did, or where that is not all."""
        key, main = (material.question.stem, False), material.files.main
        failure = self.load_failures.get(key)
        is_late = failure is None or failure.kind is OutcomeKind.TIMED_OUT
        if main is None or key not in self.statement_loads or not is_late:
            return None
        return self.statement_loads[key].describe_late(main.path, failure.detail if failure is not None else "")

    def learn_late_load(self, material: Material, known: LateLoad) -> None:
        """Begin where the visible pass ended with the file of a question, unless this pass has loaded it."""
        key, main = (material.question.stem, False), material.files.main
        if main is None or key in self.statement_loads:
            return
        self.statement_loads[key] = StatementLoad.continue_from(known, main.path)
        if known.failure:
            self.load_failures[key] = Outcome(OutcomeKind.TIMED_OUT, detail=known.failure, is_at_load=True)

    def run_statements(self, key: LoadKey, exchange: Callable[[tuple[object, ...]], Any], file: SourceFile) -> None:
        """Load a file by its statements in a fresh worker, where an earlier worker could not load it as a whole."""
        if key in self.statement_loads:
            self.statement_loads[key].run(exchange, file.module, file.path)

    def load_other(self, key: LoadKey, exchange: Callable[[tuple[object, ...]], Any], file: SourceFile) -> None:
        """Load another file like that of the question; one that does not compile fails where its function is called."""
        try:
            self.run_statements(key, exchange, file)
            exchange((messages.IMPORT, file.module))
        except CallFailed as error:
            if error.outcome.kind is not OutcomeKind.RAISED or key not in self.statement_loads:
                raise

    def describe_gap(self, key: LoadKey) -> str:
        """Write which lines were left out, for a message about a name that the file does not define."""
        return self.statement_loads[key].describe_gap() if key in self.statement_loads else ""

    def write_load_notes(self, stem: str) -> list[str]:
        """Write notes on the statements of a question's file that were left out; no worker had received an input."""
        load = self.statement_loads.get((stem, False))
        return load.write_notes() if load is not None and (stem, False) not in self.load_failures else []

    def start_check(self) -> None:
        """Forget the libraries: a worker that had received inputs named them, so they hold for one check."""
        self.libraries.clear()


@dataclass
class ResultMemory:
    """Facts that the grader learned from the results of one submission.

    `standings`: the verdicts on each function. `time_outs`: the functions that ran until their time was up.
    """

    standings: Standings = field(default_factory=Standings)
    time_outs: TimeOuts = field(default_factory=TimeOuts)

    def learn(self, test: HiddenTest | CheckResult, verdict: Verdict, is_late: bool) -> None:
        """Record the verdict on a visible test for the hidden pass; `is_late`: its functions did not end."""
        self.standings.record(test, verdict)
        if is_late:
            self.time_outs.count(test)
