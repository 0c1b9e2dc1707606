"""Pass process: runs the pass over the hidden tests in a fork of the grader, beside the visible pass.

When the grader has ended the visible pass, it takes hidden questions over, with a memory, a judge and workers as fresh
as those of this process.

A fork of the grader, with its rights; no student code runs in it. It has a zygote of its own, so that workers of both
passes share neither a namespace nor a user. Its results are written to memory that the grader reads once it has ended.
Where it does not come to its end, the grader runs the pass itself.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, replace
from typing import Any

from autograder.grading.hidden_test import HiddenTest, RunnableTest
from autograder.grading.judge import Judge, Lesson, PassResult
from autograder.grading.statement_load import LateLoad
from autograder.grading.transcript import Evidence
from autograder.results import CheckResult, Verdict, Visibility
from autograder.sandbox.isolation import kernel
from autograder.sandbox.protocol.decoder import decode
from autograder.sandbox.protocol.encoder import encode
from autograder.sandbox.protocol.layers import LayerReport
from autograder.sandbox.protocol.outcome import Frame, Outcome, OutcomeKind

Tell = Callable[[CheckResult], object]


class QuestionQueue:
    """Hands the questions of a pass out to two processes, each question to one of them; made before a fork.

    One process takes questions from the front, the other from the end, until they meet, so that both end at about the
    same time. The tokens are bytes in a pipe: the kernel gives each byte to one reader, and no process waits for the
    other. Close it in both.
    """

    def __init__(self, stems: Iterable[str]) -> None:
        """Make the queue of these questions, each counted once; OSError where there is no pipe."""
        self._stems = tuple(dict.fromkeys(stems))
        tokens, sending = os.pipe()
        try:
            os.write(sending, bytes(len(self._stems)))
        finally:
            os.close(sending)  # so that a read beyond the last token ends
        self._tokens = os.fdopen(tokens, "rb", buffering=0)

    def close(self) -> None:
        """Close the pipe; a second call does nothing."""
        self._tokens.close()

    def take_from_front(self) -> Iterator[str]:
        """Yield the ids of questions, the first of the assignment first, until none is left."""
        return self._take(self._stems)

    def take_from_end(self) -> Iterator[str]:
        """Yield the ids of questions, the last of the assignment first, until none is left."""
        return self._take(self._stems[::-1])

    def _take(self, stems: Sequence[str]) -> Iterator[str]:
        for stem in stems:
            if not self._tokens.read(1):
                return
            yield stem


class VerdictFeed:
    """Sends the verdicts of visible tests from the visible pass to the hidden pass, and never the other way.

    The hidden pass repeats a test without the functions that lost points, in visible tests too. It waits for the
    verdicts that it needs; both passes judge the functions in the same order, so that the wait is short.
    A pipe, made before a fork, after which one process sends and the other receives; close it in both.
    """

    def __init__(self, tests: Iterable[HiddenTest]) -> None:
        """Make the pipe for the verdicts on these visible tests; OSError where there is none."""
        self._tests = {test.test_id: test for test in tests}
        self._loads: dict[str, LateLoad | None] = {}  # that were sent last, by the id of the question
        receiving, sending = os.pipe()
        self._receiving = os.fdopen(receiving, "rb")
        self._sending = os.fdopen(sending, "wb", buffering=0)

    def close(self) -> None:
        """Close both ends; a second call does nothing."""
        self._receiving.close()
        self._sending.close()

    def start_sending(self) -> None:
        """Become the process that sends."""
        self._receiving.close()

    def send(self, lesson: Lesson) -> None:
        """Send the verdict on a test; the pipe has room for those on all tests, so that this never waits.

        A load is sent once.
        """
        stem = lesson.test.stem
        load = lesson.load if lesson.load != self._loads.get(stem) else None
        self._loads[stem] = lesson.load
        line = json.dumps([lesson.test.test_id, lesson.verdict.value, lesson.is_late, load])
        try:
            self._sending.write(f"{line}\n".encode())
        except BrokenPipeError:  # the other process is gone: its pass is run again
            return

    def start_receiving(self, record: Callable[[Lesson], None]) -> Callable[[str, Collection[str]], None]:
        """Become the process that receives.

        Returns a function that waits for the verdicts on some functions of a question, and records all that came.
        """
        self._sending.close()
        missing = dict(self._tests)

        def learn(stem: str, functions: Collection[str]) -> None:
            while any(test.stem == stem and not set(functions).isdisjoint(test.functions) for test in missing.values()):
                line = self._receiving.readline().decode()
                if not line:
                    raise EOFError("the visible pass ended before the hidden one")
                test_id, verdict, is_late, load = json.loads(line)
                record(Lesson(missing.pop(test_id), Verdict(verdict), is_late, load and LateLoad(*load)))

        return learn


Run = Callable[[Tell, VerdictFeed, QuestionQueue], PassResult]


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
            self._written = opening.enter_context(os.fdopen(os.memfd_create("pass"), "w+b"))
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
        self._written.seek(0)
        packed = decode(self._written.read(), allow_handles=True, allow_exports=False)
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
        result = run(lambda _: os.write(telling, b"\n"), self.feed, self.queue)
        self._written.write(encode(pack_result(result)))
        self._written.flush()


def run_hidden_pass(
    judge: Judge, tests: Sequence[RunnableTest], tell: Tell, feed: VerdictFeed, queue: QuestionQueue
) -> PassResult:
    """Run the pass over the hidden tests of the questions that it takes from the front of the queue.

    The judge learns the verdicts on visible tests from the feed.
    """
    judge.memory.learn = feed.start_receiving(judge.learn)
    return judge.run_pass(tests, tell=tell, stems=queue.take_from_front())


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


def join_results(tests: Sequence[RunnableTest], *parts: PassResult) -> PassResult:
    """Return the result of one pass over these tests, whose questions were judged in several parts."""
    order = {each.test.test_id: position for position, each in enumerate(tests)}
    checks = sorted((check for part in parts for check in part.checks), key=lambda check: order[check.test_id])
    evidence = sorted((each for part in parts for each in part.evidence), key=lambda each: order[each.test.test_id])
    return PassResult(tuple(checks), tuple(evidence), tuple(layer for part in parts for layer in part.layers))


def pack_result(result: PassResult) -> tuple[Any, ...]:
    """Return a result as plain values."""
    checks = [
        {**vars(each), "verdict": each.verdict.value, "visibility": each.visibility.value} for each in result.checks
    ]
    evidence = [
        (each.test.test_id, each.replies and [*map(_pack_reply, each.replies)], each.observations)
        for each in result.evidence
    ]
    return checks, evidence, [tuple(layer) for layer in result.layers]


def unpack_result(packed: tuple[Any, ...], tests: Mapping[str, RunnableTest]) -> PassResult:
    """Return the result of plain values; the evidence gets the bodies of its `tests`, by id, back."""
    checks, evidence, layers = packed
    return PassResult(
        tuple(
            CheckResult(**{**each, "verdict": Verdict(each["verdict"]), "visibility": Visibility(each["visibility"])})
            for each in checks
        ),
        tuple(
            Evidence(*tests[test_id], None if replies is None else tuple(map(_unpack_reply, replies)), observations)
            for test_id, replies, observations in evidence
        ),
        tuple(LayerReport(*each) for each in layers),
    )


def _pack_reply(reply: object) -> tuple[Any, ...]:
    """Return the fields of an outcome, or a plain value in a tuple of one."""
    return (reply.kind.value, *astuple(reply)[1:]) if isinstance(reply, Outcome) else (reply,)


def _unpack_reply(packed: tuple[Any, ...]) -> object:
    if len(packed) == 1:
        return packed[0]
    made = Outcome(OutcomeKind(packed[0]), *packed[1:])
    return replace(made, frames=tuple(Frame(*each) for each in made.frames))  # type: ignore[misc]
