"""Zygote: forks one worker per request, from a process that has numpy loaded and holds no secret.

Run by the grader through exec, with the grader's rights and an environment made from nothing. It never sees a test, a
reference or a student byte: the grader sends file descriptors and limits, and the fork inherits them. Trusts the
control socket, which no worker holds. Started as a script: python -s -S -B zygote.py CONTROL_DESCRIPTOR PROJECT
SITE_PACKAGES.
"""

from __future__ import annotations

import sys

if __name__ == "__main__":
    # Before any other import: the script's own folder must not shadow a module.
    sys.path[:] = [path for path in sys.path[1:] if path] + sys.argv[2:]

import contextlib
import ctypes
import gc
import os
import signal
import socket
from typing import NoReturn

from autograder.sandbox import worker
from autograder.sandbox.control import END, ENDED, NO_UID, READY, SPAWN, STARTED
from autograder.sandbox.layers import enter
from autograder.sandbox.limits import Limits

_WORKER_FD = 3
_PR_SET_PDEATHSIG = 1


def main() -> None:
    """Serve the control socket until the grader closes it; then end what is left and exit."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the grader's to handle; the control socket's end stops us
    sys.path[:] = [path for path in sys.path if path not in sys.argv[2:]]
    worker.prepare()
    gc.collect()
    gc.freeze()
    control = socket.socket(fileno=int(sys.argv[1]))
    with contextlib.suppress(BrokenPipeError):  # the grader needed no worker and has closed
        control.send(READY)
    children: set[int] = set()
    while True:
        request, descriptors = _next_request(control)
        if not request:
            break
        if request[:1] == b"S":
            control.send(STARTED.pack(b"P", _spawn(request, descriptors, children)))
        else:
            control.send(_end(END.unpack(request)[1], children))
    for pid in list(children):
        _end(pid, children)


def _next_request(control: socket.socket) -> tuple[bytes, list[int]]:
    try:
        request, descriptors, _, _ = socket.recv_fds(control, 256, 2)
    except ConnectionResetError:  # it has closed with our READY unread
        return b"", []
    return request, descriptors


def _spawn(request: bytes, descriptors: list[int], children: set[int]) -> int:
    _, uid, *numbers = SPAWN.unpack(request)
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        _become_worker(
            descriptors,
            uid=None if uid == NO_UID else uid,
            limits=Limits(*numbers),
            zygote_pid=parent,
        )
    for descriptor in descriptors:
        os.close(descriptor)
    children.add(pid)
    return pid


def _end(pid: int, children: set[int]) -> bytes:
    # Not yet waited for, so the pid cannot have become somebody else's.
    if pid not in children:
        return ENDED.pack(b"W", 0, 0.0)
    os.kill(pid, signal.SIGKILL)
    _, status, usage = os.wait4(pid, 0)
    children.discard(pid)
    return ENDED.pack(b"W", status, usage.ru_utime + usage.ru_stime)


def _become_worker(descriptors: list[int], *, uid: int | None, limits: Limits, zygote_pid: int) -> NoReturn:
    try:
        connection, output = descriptors
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(output, 1)
        os.dup2(output, 2)
        os.dup2(connection, _WORKER_FD)
        _close_from(_WORKER_FD + 1)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        worker.serve(
            socket.socket(fileno=_WORKER_FD),
            enter=lambda: enter(limits, uid=uid, zygote_pid=zygote_pid),
        )
    finally:
        os._exit(1)


def _close_from(first: int) -> None:
    for name in os.listdir("/proc/self/fd"):
        if int(name) >= first:
            with contextlib.suppress(OSError):  # the descriptor of this very listing
                os.close(int(name))


if __name__ == "__main__":
    main()
