"""Connection: exchanges messages with one worker before a deadline, and collects its output.

Run by the grader, with its rights. Trusts no byte that it reads: messages are decoded by `wire`, output is only
collected. If a worker does not read, does not answer, floods its output or exits, the connection ends with `Ended`,
which gives the reason.
"""

from __future__ import annotations

import contextlib
import math
import os
import select
import socket
import time
from typing import Any

from autograder.programs.outcome import OutcomeKind
from autograder.sandbox import limits as limit
from autograder.sandbox.host.exports import Exports
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.decoder import HANDLES, decode
from autograder.sandbox.protocol.wire import FrameReader, WireError, encode, pack_frame

_RECEIVE_BYTES = 262144


_ENDS = {
    OutcomeKind.DIED: "the worker closed the connection",
    OutcomeKind.TIMED_OUT: "no reply before the deadline",
    OutcomeKind.OUTPUT_LIMIT: "too much output",
    OutcomeKind.GARBLED: "bytes that are no message",
}


class Ended(Exception):
    """The connection ended; its worker must be killed. `kind`: one of the four ways."""

    def __init__(self, kind: OutcomeKind, detail: str = "") -> None:
        super().__init__(_ENDS[kind] + (f": {detail}" if detail else ""))
        self.kind = kind


class Connection:
    """Messages to and from one worker, and its printed output."""

    def __init__(self, worker_socket: socket.socket, output: int) -> None:
        self._socket = worker_socket
        self._socket.setblocking(False)
        self._output = output
        os.set_blocking(output, False)
        self._poll = select.poll()
        self._poll.register(worker_socket, select.POLLIN)
        self._poll.register(output, select.POLLIN)
        self._reader = FrameReader()
        self._frames: list[bytes] = []
        self._printed = bytearray()
        self._printed_bytes = 0
        self._due = 1
        self.exports = Exports()

    @property
    def printed(self) -> bytes:
        """The first part of the worker's output."""
        return bytes(self._printed)

    def forget_output(self) -> None:
        """Forget what was printed so far, as by the load of a file, which each check would show."""
        self._printed.clear()

    def exchange(self, request: tuple[object, ...], *, deadline: float, last: float = math.inf) -> Any:
        """Send a request, answer its callbacks and return the reply; Ended if there is none."""
        self.send(request, deadline=deadline)
        return self.receive(deadline=deadline, last=last)

    def send(self, request: tuple[object, ...], *, deadline: float, replies: int = 1) -> None:
        """Send a request with this number of replies; `receive` them. Ended if the worker has gone."""
        self._due = replies
        try:
            self._send(encode(request, convert=self.exports.convert), deadline=deadline)
        except WireError as error:
            raise Ended(OutcomeKind.GARBLED, str(error)) from error

    def receive(self, *, deadline: float, last: float = math.inf) -> Any:
        """Answer callbacks and return the next reply to what was sent; Ended if there is none.

        The grader's own time moves the deadline, but never behind `last`.
        """
        try:
            while True:
                message = decode(self._receive(deadline), HANDLES)  # only arguments may hold the grader's objects
                if not messages.is_message(message, messages.CALLBACK, int, str, bytes):
                    return message
                if self.exports.is_exhausted:
                    raise Ended(OutcomeKind.TIMED_OUT)
                asked = time.monotonic()
                self._send(self._answer_callback(*message[1:]), deadline=deadline)
                deadline = min(deadline + time.monotonic() - asked, last)
        except WireError as error:
            raise Ended(OutcomeKind.GARBLED, str(error)) from error

    def close(self) -> None:
        """Collect the rest of the output, then close both descriptors; may be called again."""
        if self._socket.fileno() < 0:
            return
        try:
            self._collect_output()
        finally:
            self._socket.close()
            os.close(self._output)

    def _answer_callback(self, number: int, method: str, payload: bytes) -> bytes:
        answer = self.exports.answer_callback(number, method, payload)
        try:
            return encode(answer, convert=self.exports.convert)
        except (TypeError, WireError) as error:  # right arguments give values that cross, as our tests show
            refusal = f"the grader's function could not use these arguments ({error})"
            return encode((messages.REFUSE, refusal), convert=self.exports.convert)

    def _send(self, payload: bytes, *, deadline: float) -> None:
        unsent = memoryview(pack_frame(payload))
        while unsent:
            try:
                unsent = unsent[self._socket.send(unsent) :]
            except BlockingIOError:
                self._poll.modify(self._socket, select.POLLIN | select.POLLOUT)
                self._wait(deadline)
                self._poll.modify(self._socket, select.POLLIN)
            except OSError:
                raise Ended(OutcomeKind.DIED) from None

    def _receive(self, deadline: float) -> bytes:
        while not self._frames:
            self._wait(deadline)
        return self._frames.pop(0)

    def _wait(self, deadline: float) -> None:
        left = deadline - time.monotonic()
        events = self._poll.poll(max(0.0, left) * 1000) if left > 0 else []
        if not events:
            raise Ended(OutcomeKind.TIMED_OUT)
        is_readable = {descriptor for descriptor, event in events if event & ~select.POLLOUT}
        if self._socket.fileno() in is_readable:
            self._collect_frames()
        if self._output in is_readable:
            self._collect_output()
        if self._printed_bytes > limit.OUTPUT_KILL_BYTES and not self._frames:  # replies that have come are read first
            raise Ended(OutcomeKind.OUTPUT_LIMIT)

    def _collect_frames(self) -> None:
        try:
            data = self._socket.recv(_RECEIVE_BYTES)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            raise Ended(OutcomeKind.DIED)
        self._frames.extend(self._reader.feed(data))
        if len(self._frames) > self._due:  # a worker only answers; a flood would fill the grader's memory
            raise Ended(OutcomeKind.GARBLED, "more than one message at a time")

    def _collect_output(self) -> None:
        while self._printed_bytes <= limit.OUTPUT_KILL_BYTES:
            try:
                data = os.read(self._output, _RECEIVE_BYTES)
            except BlockingIOError:
                return
            if not data:
                # The worker closed its end: the descriptor would stay readable for ever and keep the poll busy.
                with contextlib.suppress(KeyError):  # it is not watched any more
                    self._poll.unregister(self._output)
                return
            self._printed_bytes += len(data)
            self._printed += data[: max(0, limit.OUTPUT_KEPT_BYTES - len(self._printed))]
