"""Warm-up: answers typical requests in the zygote before its first fork, so that workers inherit filled caches.

Run by the zygote, once, with its rights, on requests and a module of our own; no student byte is involved. Trusts those
requests. The effect is on Python's own caches: without it each worker fills its own, and the kernel copies their pages.
Student code cannot see it: installed finders are removed, random states are set afterwards, and no class is defined,
because unused classes stay in `object.__subclasses__()` until they are collected, and then leave holes in memory that
workers fill page by page.
"""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator

import numpy as np

from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.decoder import decode
from autograder.sandbox.protocol.trusted_form import pack_trusted
from autograder.sandbox.protocol.wire import Export, FrameReader, Handle, pack_frame
from autograder.sandbox.worker.scratch_files import ScratchFiles
from autograder.sandbox.worker.worker import Worker

_ROUNDS = 2  # most of the effect is reached after one; each takes 4 ms
_RECEIVE_BYTES = 65536
_NAME = "autograder_warm_up"
_TEXT = '''
"""A module as students write them."""
import math
import random

import numpy as np

try:
    import autograder_warm_up_missing
except ImportError:
    pass


def rows(x, scale=1.0):
    """Rows of probabilities, with what came up on the way."""
    shape = x.shape
    if len(shape) > 1:
        e = np.exp(x - np.max(x, axis=1, keepdims=True))
        y = e / np.sum(e, axis=-1, keepdims=True)
    assert y.shape == shape
    s = 1 / (1 + np.exp(-x))
    g = s * (1 - s) * np.maximum(x, 0)
    n = np.sqrt(np.sum(x**2, axis=1)).reshape(-1, 1)
    z = x.T.dot(y) @ np.ones((shape[1], 2)) + np.zeros(2)
    w = np.random.RandomState(0).randn(2, 3) + random.random()
    total = 0.0
    for i in range(shape[0]):
        w[0] -= 0.1 * i
        total += np.outer(x[i], g[i]).sum() - np.log(y[i, np.argmax(y[i])])
    return float(total) + math.pi, {"g": g.copy(), "n": [n, (1, scale, np.mean(z))]}


def outer(inner, x):
    return inner(x)


def counted(words):
    counts = {}
    for position, word in enumerate(["ROOT"] + words):
        counts.setdefault(word, []).append((position, word[-1]))
    return sorted(counts.items())


def failing(x):
    raise ValueError("on purpose")

'''


def warm_up() -> None:
    """Answer the requests below like a worker."""
    for _ in range(_ROUNDS):
        finders = list(sys.meta_path)
        _answer_requests()
        sys.meta_path[:] = finders
        del sys.modules[_NAME]


def _answer_requests() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        worker = Worker(ScratchFiles())
        worker.connection = theirs
        for messages in _list_requests():
            ours.sendall(b"".join(pack_frame(pack_trusted(message, convert=repr)) for message in messages))
            worker.answer_request(worker.receive())
            for payload in FrameReader().feed(ours.recv(_RECEIVE_BYTES)):
                decode(payload, allow_handles=True, allow_exports=True)
    with ScratchFiles().open(_NAME, "w") as file:
        file.write(_NAME)


def _list_requests() -> Iterator[tuple[tuple[object, ...], ...]]:
    """Yield each request with the answers to its callbacks."""
    rows, outer, failing, counted = (Handle(number, "", True, {}) for number in range(1, 5))
    x = np.linspace(0.0, 1.0, 12).reshape(3, 4)
    yield ((messages.LOAD, {_NAME: (f"{_NAME}.py", _TEXT, False)}, {}, False),)
    yield ((messages.IMPORT, _NAME),)
    for name in ("rows", "outer", "failing", "counted"):
        yield ((messages.FIND, _NAME, name),)
    yield ((messages.CALL, rows, (x, 2.5)),)
    yield ((messages.CALL_KEEPING_ARGUMENTS, rows, (x,)),)
    yield ((messages.CALL_RECORDING_WARNINGS, rows, (x,)),)
    yield ((messages.EACH, rows, [(x,), (x,)]),)
    yield ((messages.CALL, outer, (Export(0, "callback", True, (), ()), x)), (messages.ANSWER, (1.0, x)))
    yield ((messages.CALL, failing, (1,)),)
    yield ((messages.CALL, counted, (["a", "b", "a"],)),)
    yield ((messages.GET, rows, "__name__"),)
    yield ((messages.GENERATOR, 0),)
