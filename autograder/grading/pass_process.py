"""Pass process: runs the pass over the hidden tests in a fork of the grader, beside the visible pass.

When the grader has ended the visible pass, it takes hidden questions over (`question_queue.py`), with a memory, a judge
and workers as fresh as those of this process.

A fork of the grader, with its rights; no student code runs in it. It has a zygote of its own, so that workers of both
passes share neither a namespace nor a user. Its results are written to memory that the grader reads once it has ended.
Where it does not come to its end, the grader runs the pass itself.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import signal
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple, fields
from typing import Any

from autograder.grading.evidence import Evidence
from autograder.grading.hidden_test import RunnableTest
from autograder.grading.judge import Judge
from autograder.grading.question_queue import QuestionQueue
from autograder.grading.verdict_feed import VerdictFeed
from autograder.grading.visibility_pass import PassResult, join_results, run_pass
from autograder.results import CheckResult, Verdict, Visibility
from autograder.sandbox.isolation import kernel
from autograder.sandbox.protocol.decoder import decode
from autograder.sandbox.protocol.encoder import encode
from autograder.sandbox.protocol.layers import LayerReport
from autograder.sandbox.protocol.outcome import Frame, Outcome, OutcomeKind

Tell = Callable[[CheckResult], None]
Run = Callable[[Tell, VerdictFeed, QuestionQueue], PassResult]
_OUTCOME = "an outcome"  # marks one among replies, which are plain values


class PassProcess:
    """The process; use as a context manager, or call `close`.

    `feed`: the grader sends the verdicts on visible tests to it. `queue`: the questions, of which both take.
    """

    def __init__(self, run: Run, tests: Sequence[RunnableTest], visible: Sequence[RunnableTest] = ()) -> None:
        """Fork; `run` runs the pass over `tests` in the fork, tells the results and has the feed of `visible` ones.

        It judges the questions that it takes from the queue. OSError where no process starts.
        """
        self._tests = {each.test.test_id: each for each in tests}
        with contextlib.ExitStack() as opening:
            self._memory = os.memfd_create("pass")
            opening.callback(os.close, self._memory)
            self.feed = VerdictFeed(each.test for each in visible)
            opening.callback(self.feed.close)
            self.queue = QuestionQueue(each.test.stem for each in tests)
            opening.callback(self.queue.close)
            told, telling = os.pipe()
            self._told = opening.enter_context(os.fdopen(told, encoding="utf-8"))
            try:
                self._pid = kernel.fork_with_parent_death_signal(lambda: self._run(run, telling))
            finally:
                os.close(telling)
            self.feed.start_sending()
            self._opened = opening.pop_all()

    def __enter__(self) -> PassProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def wait(self, tell: Callable[[], None]) -> PassResult | None:
        """Return the result of its part of the pass once it has ended, None if it failed.

        `tell` is called once for each of its tests.
        """
        for _ in self._told:
            tell()
        _, status = os.waitpid(self._pid, 0)
        self._pid = 0
        if status:
            return None
        with mmap.mmap(self._memory, 0, access=mmap.ACCESS_READ) as written:
            packed = decode(written[:], allow_handles=True, allow_exports=False)
        return unpack_result(packed, self._tests)

    def close(self) -> None:
        """End the process; a second call does nothing."""
        if self._told.closed:
            return
        if self._pid:
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)
        self._opened.close()

    def _run(self, run: Run, telling: int) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the grader handles Ctrl-C and ends this process
        for name in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(name, signal.SIG_DFL)

        result = run(lambda _: _write_all(telling, b"\n"), self.feed, self.queue)
        _write_all(self._memory, encode(pack_result(result)))


def run_hidden_pass(
    judge: Judge, tests: Sequence[RunnableTest], tell: Tell, feed: VerdictFeed, queue: QuestionQueue
) -> PassResult:
    """Run the pass over the hidden tests of the questions that it takes from the front of the queue.

    The judge learns the verdicts on visible tests from the feed.
    """
    judge.memory.standings.learn = feed.start_receiving(judge.learn)
    return run_pass(judge, tests, tell=tell, stems=queue.take_from_front())


def finish_hidden_pass(
    process: PassProcess | None,
    tests: Sequence[RunnableTest],
    run: Callable[[Iterable[str]], PassResult],
    tell: Callable[[], None],
) -> PassResult:
    """Return the result of the pass over the hidden tests, once the visible pass has ended.

    `process`: runs a part of the pass, None if there is none. `run`: judges the tests of some questions here, with a
    fresh memory. `tell` is called for each test of the process.
    """
    stems = list(dict.fromkeys(each.test.stem for each in tests))
    if process is None:
        return run(stems)
    taken = run(process.queue.take_from_end())
    others = process.wait(tell)
    if others is None:
        judged = {check.stem for check in taken.checks}
        others = run([stem for stem in stems if stem not in judged])
    return join_results(tests, taken, others)


def pack_result(result: PassResult) -> tuple[Any, ...]:
    """Return a result as plain values."""
    checks = [{each.name: _pack_field(getattr(check, each.name)) for each in fields(check)} for check in result.checks]
    evidence = [(each.test.test_id, _pack_replies(each.replies), list(each.observations)) for each in result.evidence]
    return checks, evidence, [tuple(layer) for layer in result.layers]


def unpack_result(packed: tuple[Any, ...], tests: Mapping[str, RunnableTest]) -> PassResult:
    """Return the result of plain values; the evidence gets the bodies of its `tests`, by id, back."""
    checks, evidence, layers = packed
    return PassResult(
        tuple(_unpack_check(each) for each in checks),
        tuple(
            Evidence(*tests[test_id], _unpack_replies(replies), tuple(observations))
            for test_id, replies, observations in evidence
        ),
        tuple(LayerReport(*each) for each in layers),
    )


def _pack_field(value: object) -> object:
    return value.value if isinstance(value, (Verdict, Visibility)) else value


def _unpack_check(packed: dict[str, Any]) -> CheckResult:
    enums = {"verdict": Verdict(packed["verdict"]), "visibility": Visibility(packed["visibility"])}
    return CheckResult(**{**packed, **enums})


def _pack_replies(replies: tuple[object, ...] | None) -> object:
    if replies is None:
        return None
    return [
        (_OUTCOME, each.kind.value, *astuple(each)[1:]) if isinstance(each, Outcome) else (each,) for each in replies
    ]


def _unpack_replies(packed: list[tuple[Any, ...]] | None) -> tuple[object, ...] | None:
    if packed is None:
        return None
    return tuple(_unpack_outcome(*each[1:]) if len(each) > 1 else each[0] for each in packed)


def _unpack_outcome(kind: str, *others: Any) -> Outcome:
    names = [each.name for each in fields(Outcome)][1:]
    values = dict(zip(names, others, strict=True))
    values["frames"] = tuple(Frame(*each) for each in values["frames"])
    return Outcome(OutcomeKind(kind), **values)


def _write_all(descriptor: int, data: bytes) -> None:
    unwritten = memoryview(data)
    while unwritten:
        unwritten = unwritten[os.write(descriptor, unwritten) :]
