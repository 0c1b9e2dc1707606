"""Known replies: turns the known mistakes of a hidden test into their wrong cells, and keeps them.

The mistakes run in a process of their own, when a submission first loses points in the test on a machine, or when the
assignment is packaged. Grading compares what is kept.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, NamedTuple

from autograder.assignment import find_owner
from autograder.contracts import CheckBody
from autograder.contracts.body import is_all_right
from autograder.contracts.packed_check import pack_check, unpack_check
from autograder.diagnosis.apart import Work, run_apart
from autograder.diagnosis.replay import Replay, preserve_global_state
from autograder.diagnosis.replies import (
    Cell,
    Replied,
    Replies,
    WrongCell,
    find_check,
    find_wrong,
    name_replies,
    read_replies,
)
from autograder.grading.hidden_test import RunnableTest
from autograder.mistakes import Mistake, MistakeBank
from autograder.sandbox.requests import seed_generators
from autograder.student import Student

CPU_S = 5  # for a mistake in one test; the right solution takes a tenth of it
FAILS: Cell = ("", "")
"""The cell of a test that fails although no reply is wrong."""
Answer = tuple[Replies, bool]  # replies, and whether the test passes
_IN_FAILS = {FAILS: WrongCell(True, False)}


class KnownMistake(NamedTuple):
    """A mistake in a test: whether the test fails with it, and its wrong cells, which the test need not look at."""

    fails: bool
    wrong: Mapping[Cell, WrongCell]


class KnownRow(NamedTuple):
    """What is known of a test: the right replies, and the mistakes by their ids.

    A mistake that gave no reply, such as one that does not end, is None, and so is a right solution.
    """

    right: Replies | None
    mistakes: Mapping[str, KnownMistake | None]


@dataclass(frozen=True)
class KnownReplies:
    """The replies of an assignment's known mistakes to its hidden tests, which are given by id; for all submissions.

    `kept`: what was made, which `save` writes.
    """

    bank: MistakeBank
    tests: Mapping[str, RunnableTest]
    kept: dict[str, Any] = field(default_factory=dict)
    save: Callable[[], object] = lambda: None
    _read: dict[str, KnownRow] = field(default_factory=dict)

    def list_mistakes(self, question_id: str, functions: Iterable[str]) -> list[Mistake]:
        """List the mistakes of some functions, or of the constructors of their classes."""
        owners = set()
        for name in functions:
            owners |= {name, find_owner(name)}
        return [each for each in self.bank.load(question_id) if each.function in owners]

    def make(self, test_ids: Iterable[str]) -> None:
        """Make what is missing of these tests, and keep it."""
        missing = [each for each in test_ids if each not in self.kept]
        rows = [_Row(self, self.tests[each]) for each in missing]
        works: list[Work] = []
        for row in rows:
            works.append(row.answer_right)
            works += [partial(row.answer, each) for each in row.mistakes]
        answers = run_apart(works, cpu_s=CPU_S)
        for row in rows:
            right = next(answers)
            mistakes = {each.id: next(answers) for each in row.mistakes}
            self.kept[row.id] = (right, mistakes)
        if rows:
            self.save()

    def find(self, test_id: str) -> KnownRow:
        """Find what is known of a test."""
        if test_id not in self._read:
            self._read[test_id] = _read_row(*self.kept[test_id])
        return self._read[test_id]


def find_rows(mistake: Mistake, known: KnownReplies) -> tuple[str, ...]:
    """Find the names of the tests that fail with a mistake: those of its function.

    What a constructor does may show in methods alone; then the tests of these.
    """
    ours, later = [], []
    for test, _ in known.tests.values():
        if mistake.function in test.functions:
            ours.append(test)
        elif mistake.function in map(find_owner, test.functions):
            later.append(test)
    for group in (ours, later):
        known.make(each.test_id for each in group)
        failed = [each.name for each in group if _fails(known, mistake, each.test_id)]
        if failed:
            return tuple(failed)
    return ()


def _fails(known: KnownReplies, mistake: Mistake, test_id: str) -> bool:
    """Whether a test fails with a mistake; so it does with one that does not end."""
    found = known.find(test_id).mistakes[mistake.id]
    return found is None or found.fails


class _Row:
    """A test, and the known mistakes of its functions; it answers in a process of its own."""

    def __init__(self, known: KnownReplies, runnable: RunnableTest) -> None:
        self._test, self._call = runnable
        self._bank = known.bank
        self._check = find_check(self._call)
        self.id = self._test.test_id
        self.mistakes = known.list_mistakes(self._test.question_id, self._test.functions)

    def answer_right(self) -> bytes:
        """Return the right replies as they are kept."""
        return _pack([tuple(each) for each in self._right])

    def answer(self, mistake: Mistake) -> bytes:
        """Return the wrong cells of a mistake as they are kept, and whether the test fails with it."""
        replied, is_right = self._reply(mistake)
        wrong = find_wrong(self._right, replied)
        if not (wrong or is_right):
            wrong = _IN_FAILS
        cells = [(cell, *each) for cell, each in wrong.items()]
        return _pack((not is_right, cells))

    @cached_property
    def _right(self) -> Replies:
        replied, _ = self._reply(None)
        return replied

    def _reply(self, mistake: Mistake | None) -> Answer:
        """Return the replies as they are compared, and whether the test passes."""
        question_id = self._test.question_id
        reference = self._bank.assignment.import_reference(question_id)
        replay = Replay(reference, tested=self._test.functions)
        if mistake is not None:
            replay.replace(mistake.function, mistake.wrong)
        with preserve_global_state():
            if self._check is None:
                return self._reply_by_hand(replay)
            seed_generators()
            replies = replay.run_programs(self._check.programs)
        reader = self._bank.make_reader(question_id, self._test.functions[0])
        replied = read_replies(self._check, replies, reader)
        return replied, is_all_right(self._check, replies)

    def _reply_by_hand(self, replay: Replay) -> Answer:
        try:
            is_right = replay.run(self._score)
        except Exception:  # noqa: BLE001  (a bug of the test, which is told where it is run)
            return [], True
        module = replay.functions
        names = [" ".join(each) for each in module.asked]
        replied = name_replies(names, module.replies, replay.observations)
        return replied, is_right

    def _score(self, student: Student) -> float | None:
        """Run the body; return the points where they are not all."""
        assert not isinstance(self._call, CheckBody)  # noqa: S101  (for the type checker)
        points = self._call(student)
        is_less = points is not None and points < self._test.points
        return points if is_less else None


def _pack(value: Any) -> bytes:
    data = pack_check(value)
    assert data is not None  # noqa: S101  (replies are plain values)
    return zlib.compress(data)


def _unpack(data: bytes) -> Any:
    return unpack_check(zlib.decompress(data))


def _read_row(data: bytes | None, mistakes: Mapping[str, bytes | None]) -> KnownRow:
    right = None
    if data is not None:
        right = [Replied(*each) for each in _unpack(data)]
    read = {name: _read_mistake(each) for name, each in mistakes.items()}
    return KnownRow(right, read)


def _read_mistake(data: bytes | None) -> KnownMistake | None:
    if data is None:
        return None
    fails, cells = _unpack(data)
    wrong = {}
    for cell, *fields in cells:
        wrong[cell] = WrongCell(*fields)
    return KnownMistake(fails, wrong)
