"""Memory: what workers of one submission said: how its files load, which libraries it imports, which errors it raises.

Each pass has a record of its own, so that nothing of a hidden test can reach a visible one. It is untrusted, and only
`student_module` writes it. What the grader concludes from results is in `follow_through`.

A file that fails as a whole is loaded statement by statement, before any input of a test crosses, so that nothing here
can depend on one. A worker leaves out each statement that raises, and goes on. A statement that ends the worker, or
does not end, is left out of the next worker's load; all that follows the second such statement of a file is left out
with it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from autograder.grading.explain import REASON_CHARACTERS, explain_statement
from autograder.plain_text import clean_line, cut_lines
from autograder.programs.outcome import CallFailed, Frame, Outcome, OutcomeKind
from autograder.sandbox import limits as limit
from autograder.sandbox.preload import is_library_module, may_be_requested
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.layers import LayerReport
from autograder.submission import SourceFile

_FINAL = (OutcomeKind.GARBLED, OutcomeKind.SANDBOX_FAILED)  # ends after which no file is loaded by its statements
_ENDED = {
    OutcomeKind.TIMED_OUT: "it did not end within a second",
    OutcomeKind.OUTPUT_LIMIT: "it printed without end",
    OutcomeKind.DIED: "it ended the whole Python process",
}
_AND_THE_REST = "; all lines after it were left out too, since it is the second such statement"
_CANNOT_COMPILE = "Python ended each time it compiled the file, which is too large or too deeply nested"
_SHOWN = 5


class LeftOut(NamedTuple):
    """A statement that was left out: the file and first line, safe to show, and the reason.

    `with_rest`: so was all that follows it in the file.
    """

    path: str
    line: int
    reason: str
    with_rest: bool = False

    @property
    def place(self) -> str:
        """Where it was, in words."""
        place = f"{self.path} line {self.line}"
        return f"{place} and all after it" if self.with_rest else place


Exchange = Callable[[tuple[object, ...]], Any]  # sends a request to a fresh worker, and returns the value of its reply


@dataclass
class FileLoad:
    """What workers of one pass reported of the load of a question's files.

    `failure`: how they failed to load for good. `by_statements`: they failed as a whole, and are loaded statement by
    statement. `ended`: by path and line, the statements that ended a worker. `raised`: by path of the file that was
    loaded, those that raised in its last load. `kills`: how often a signal ended a worker meanwhile. `_at`: the path
    and line where the present worker is, the line 0 while it compiles.
    """

    failure: Outcome | None = None
    by_statements: bool = False
    ended: dict[tuple[str, int], LeftOut] = field(default_factory=dict)
    raised: dict[str, tuple[LeftOut, ...]] = field(default_factory=dict)
    kills: int = 0
    _at: tuple[str, int] | None = None

    @property
    def left_out(self) -> list[LeftOut]:
        """The statements left out, by file and line."""
        left_out = set(self.ended.values())
        left_out.update(*self.raised.values())
        return sorted(left_out)

    @property
    def is_whole(self) -> bool:
        """Whether nothing is known of the files that another worker would have to work around."""
        return self.failure is None and not self.by_statements

    def run(self, exchange: Exchange, file: SourceFile, lines: Mapping[str, int]) -> None:
        """Load a file in a fresh worker, where an earlier one could not load it as a whole.

        CallFailed if it does not compile, or if a statement ends the worker. `lines`: the number of them by path, of
        the files that a note may name.
        """
        if not self.by_statements:
            return
        raised: list[LeftOut] = []
        self._at = (file.path, 0)
        lines_of_file = _read_lines(exchange((messages.BEGIN_STATEMENTS, file.module)))
        for number, line in enumerate(lines_of_file):
            self._at = (file.path, line)
            if self._at not in self.ended:
                raised += _read_left_out(exchange((messages.RUN_STATEMENT, number)), lines)
            elif self.ended[self._at].with_rest:
                break
        self._at = None
        self.raised[file.path] = tuple(raised[: limit.LEFT_OUT])

    def run_other(self, exchange: Exchange, file: SourceFile, lines: Mapping[str, int]) -> None:
        """Load another file like that of the question; one that does not compile fails where its function is called."""
        try:
            self.run(exchange, file, lines)
            exchange((messages.IMPORT, file.module))
        except CallFailed as error:
            if error.outcome.kind is not OutcomeKind.RAISED or not self.by_statements:
                raise

    def learn(self, outcome: Outcome) -> bool:
        """Learn how a load ended before its time; False where another worker cannot load more."""
        if not self.by_statements:
            self.by_statements = outcome.kind not in _FINAL
            return self.by_statements
        if self._at is None or outcome.kind not in _ENDED:
            return False
        self.kills += outcome.was_killed
        if self._may_be_by_chance(outcome):
            return True
        path, line = self._at
        before = [each for each in self.ended if each[0] == path]
        if not line or len(before) == limit.ENDING_STATEMENTS:
            return False
        is_last = len(before) == limit.ENDING_STATEMENTS - 1
        reason = _ENDED[outcome.kind]
        if is_last:
            reason += _AND_THE_REST
        self.ended[self._at] = LeftOut(path, line, reason, with_rest=is_last)
        return True

    def _may_be_by_chance(self, outcome: Outcome) -> bool:
        """Whether the machine may have ended the worker: by a signal, which it does not do again and again."""
        return outcome.was_killed and self.kills <= limit.KILLS_AT_LOAD

    def is_uncompiled(self, outcome: Outcome) -> bool:
        """Whether a file that is loaded by its statements has none, as it does not compile."""
        return self._at is not None and not self._at[1] and outcome.kind is OutcomeKind.RAISED

    def describe_failure(self, outcome: Outcome) -> Outcome:
        """Describe a load that failed for good; nothing has run of a file that Python cannot compile."""
        is_compiling = self._at is not None and not self._at[1]
        if is_compiling and outcome.kind is OutcomeKind.DIED and not self._may_be_by_chance(outcome):
            return replace(outcome, detail=_CANNOT_COMPILE, was_killed=False, is_at_load=True)
        return replace(outcome, is_at_load=True)

    def write_notes(self) -> list[str]:
        """Write a note for the student on each of the first statements left out; no worker had received an input."""
        left_out = self.left_out if self.failure is None else []
        notes = []
        for each in left_out:
            notes.append(f"{each.path} line {each.line} was left out: {each.reason}")
        return cut_lines(notes, _SHOWN, "{} more statements were left out")

    def describe_gap(self) -> str:
        """Write which lines were left out, for a message about a name that the file does not define."""
        places = [each.place for each in self.left_out[:_SHOWN]]
        if not places:
            return ""
        return f"; left out, because it failed: {', '.join(places)}"


def _read_lines(reply: Any) -> list[int]:
    if not messages.has_form(reply, [int]):
        raise CallFailed(Outcome(OutcomeKind.GARBLED, detail="the worker did not say which statements the file has"))
    if len(reply) > limit.STATEMENTS:
        detail = f"the file has more than {limit.STATEMENTS} statements at its top level"
        raise CallFailed(Outcome(OutcomeKind.RAISED, detail=detail))
    return list(reply)


def _read_left_out(reply: Any, lines: Mapping[str, int]) -> list[LeftOut]:
    garbled = Outcome(OutcomeKind.GARBLED, detail="the worker did not say how a statement ended")
    if not messages.has_form(reply, [(str, int, str, str)]):
        raise CallFailed(garbled)
    left_out = []
    for path, line, error_type, text in reply:
        if not 0 < line <= lines.get(path, 0):
            raise CallFailed(garbled)
        reason = explain_statement(error_type, text)
        left_out.append(LeftOut(clean_line(path, REASON_CHARACTERS), line, reason))
    return left_out


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
