"""Statement load: loads files that failed as a whole statement by statement, and records those left out and why.

Run by the grader, before any input of a test crosses, so that nothing here can depend on one. A statement that raises
is left out by the worker; one that ends the worker, or does not end, is left out of every later worker's load.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from autograder.grading.explain import REASON_CHARACTERS, explain_statement
from autograder.plain_text import clean_line, cut_lines
from autograder.sandbox import limits as limit
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.outcome import CallFailed, Outcome, OutcomeKind
from autograder.submission import SourceFile

# The ends of a load after which another worker can load more of the file; all but the first end the worker.
_RAISED = frozenset({OutcomeKind.RAISED, OutcomeKind.NOT_WRITTEN, OutcomeKind.OUT_OF_MEMORY})
_ENDED = {
    OutcomeKind.TIMED_OUT: "it did not end within a second",
    OutcomeKind.OUTPUT_LIMIT: "it printed without end",
    OutcomeKind.DIED: "it ended the whole Python process",
}
CANNOT_COMPILE = "Python ended each time it compiled the file, which is too large or too deeply nested"
_SHOWN = 5
_MOST_LINES = 10**6  # a worker that names a line with a million digits, which would reach the other pass


class LeftOut(NamedTuple):
    """A statement that was left out: the file and first line, safe to show, and the reason."""

    path: str
    line: int
    reason: str


Exchange = Callable[[tuple[object, ...]], Any]  # sends a request to a fresh worker, and returns the value of its reply


@dataclass
class FileLoad:
    """What workers of one pass reported of the load of a question's files.

    `failure`: how they failed to load for good. `by_statements`: they failed as a whole, and are loaded statement by
    statement. `is_late`: the time of a load, or of one of its statements, was up.
    `ended`: by path and number of the statement, those that ended a worker. `raised`: by path of the file that was
    loaded, those that raised in its last load. `killed`: those during which a worker ended, perhaps by a signal of the
    machine's, and only the second time counts. `loads`: the number of workers that were spent on it; `late_loads`:
    those whose time was up. `cannot_compile`: Python ended while it compiled a file, of which nothing had run.
    """

    failure: Outcome | None = None
    by_statements: bool = False
    is_late: bool = False
    ended: dict[tuple[str, int], LeftOut] = field(default_factory=dict)
    raised: dict[str, tuple[LeftOut, ...]] = field(default_factory=dict)
    killed: set[tuple[str, int]] = field(default_factory=set)
    loads: int = 0
    late_loads: int = 0
    cannot_compile: bool = False

    @property
    def left_out(self) -> list[LeftOut]:
        """The statements left out, by file and line."""
        return sorted({*self.ended.values(), *(each for raised in self.raised.values() for each in raised)})

    @property
    def is_whole(self) -> bool:
        """Whether nothing is known of the files that another worker would have to work around."""
        return self.failure is None and not self.by_statements

    def may_continue(self, outcome: Outcome) -> bool:
        """Load by statements after this end of a load; False where no other worker can load more."""
        if outcome.kind not in _ENDED and (outcome.kind not in _RAISED or self.by_statements):
            return False
        if self.cannot_compile:
            return False
        self.by_statements = True
        self.loads += 1
        self.late_loads += outcome.kind is OutcomeKind.TIMED_OUT
        return self.loads <= limit.LOADS and self.late_loads <= limit.LATE_LOADS

    def run(self, exchange: Exchange, file: SourceFile) -> None:
        """Load a file in a fresh worker, where an earlier one could not load it as a whole.

        CallFailed if it does not compile, or if a statement ends the worker.
        """
        if not self.by_statements:
            return
        raised: list[LeftOut] = []
        for index, line in enumerate(self._begin(exchange, file)):
            key = (file.path, index)
            if key in self.ended:
                continue
            try:
                raised += _read_left_out(exchange((messages.RUN_STATEMENT, index)))
            except CallFailed as error:
                kind = error.outcome.kind
                if not self._is_by_chance(error.outcome, key) and kind in _ENDED:
                    self.ended[key] = LeftOut(file.path, line, _ENDED[kind])
                raise
        self.raised[file.path] = tuple(raised[: limit.LEFT_OUT])

    def _begin(self, exchange: Exchange, file: SourceFile) -> list[int]:
        """Have a worker compile the statements of a file, and return their lines."""
        try:
            return _read_lines(exchange((messages.BEGIN_STATEMENTS, file.module)))
        except CallFailed as error:
            is_by_chance = self._is_by_chance(error.outcome, (file.path, -1))
            self.cannot_compile = error.outcome.kind is OutcomeKind.DIED and not is_by_chance
            raise

    def _is_by_chance(self, outcome: Outcome, key: tuple[str, int]) -> bool:
        """Whether the machine may have ended the worker: by a signal, and not there before."""
        is_first = key not in self.killed
        self.killed.add(key)
        return outcome.was_killed and is_first

    def run_other(self, exchange: Exchange, file: SourceFile) -> None:
        """Load another file like that of the question; one that does not compile fails where its function is called."""
        try:
            self.run(exchange, file)
            exchange((messages.IMPORT, file.module))
        except CallFailed as error:
            if error.outcome.kind is not OutcomeKind.RAISED or not self.by_statements:
                raise

    def is_late_alone(self, main: SourceFile | None) -> bool:
        """Whether all that is known is which statements of the question's file did not end."""
        is_late = self.failure is None or self.failure.kind is OutcomeKind.TIMED_OUT
        reasons = {each.reason for each in self.ended.values()}
        if main is None or not is_late or reasons != {_ENDED[OutcomeKind.TIMED_OUT]}:
            return False
        lines = [each.line for each in self.ended.values()]
        return {path for path, _ in self.ended} == {main.path} and max(lines) <= _MOST_LINES

    def continue_from(self, visible: FileLoad, main: SourceFile | None) -> None:
        """Begin where the visible pass ended with a file that does not load soon, unless this one has loaded it."""
        if self.by_statements or not visible.is_late_alone(main):
            return
        self.by_statements, self.loads, self.late_loads = True, visible.loads, visible.late_loads
        self.ended |= visible.ended
        if visible.failure is not None:
            self.failure = Outcome(OutcomeKind.TIMED_OUT, detail=visible.failure.detail, is_at_load=True)

    def write_notes(self) -> list[str]:
        """Write a note for the student on each of the first statements left out; no worker had received an input."""
        left_out = self.left_out if self.failure is None else []
        notes = [f"{each.path} line {each.line} was left out: {each.reason}" for each in left_out]
        return cut_lines(notes, _SHOWN, "{} more statements were left out")

    def describe_gap(self) -> str:
        """Write which lines were left out, for a message about a name that the file does not define."""
        lines = [f"{each.path} line {each.line}" for each in self.left_out]
        return f"; left out, because it failed: {', '.join(lines[:_SHOWN])}" if lines else ""


def _read_lines(reply: Any) -> list[int]:
    if not messages.has_form(reply, [int]):
        raise CallFailed(Outcome(OutcomeKind.GARBLED, detail="the worker did not say which statements the file has"))
    if len(reply) > limit.STATEMENTS:
        detail = f"the file has more than {limit.STATEMENTS} statements at its top level"
        raise CallFailed(Outcome(OutcomeKind.RAISED, detail=detail))
    return list(reply)


def _read_left_out(reply: Any) -> list[LeftOut]:
    if not messages.has_form(reply, [(str, int, str, str)]):
        raise CallFailed(Outcome(OutcomeKind.GARBLED, detail="the worker did not say how a statement ended"))
    return [LeftOut(clean_line(path, REASON_CHARACTERS), line, explain_statement(*why)) for path, line, *why in reply]
