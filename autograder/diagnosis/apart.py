"""Apart: runs code that may not end, eat memory or end its process, such as a known mistake, in a process of its own.

The code is the staff's: the process is a fork of this one, with limits and without a sandbox. What crosses back are
bytes.
"""

from __future__ import annotations

import contextlib
import math
import os
import resource
import select
import signal
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import NoReturn

from autograder.sandbox.limits import measure_address_space
from autograder.sandbox.protocol.wire import FrameReader, WireError, pack_frame

WALL_PER_CPU = 6  # sleep(100): enough for a busy machine
MEMORY_BYTES = 512 << 20  # besides what the grader has; the right solution needs a tenth
_CHUNK_BYTES = 1 << 16

Work = Callable[[], bytes]


def run_apart(works: Sequence[Work], *, cpu_s: int) -> Iterator[bytes | None]:
    """Yield what each piece of work returns, None for one that raises, takes too long or ends its process.

    `cpu_s`: the seconds of computing time for each.
    """
    done = 0
    while done < len(works):
        for answer in _run_until_end(works[done:], cpu_s):
            yield answer or None
            done += 1
        if done < len(works):  # this one ended the process
            yield None
            done += 1


def _run_until_end(works: Sequence[Work], cpu_s: int) -> Iterator[bytes]:
    """Yield the answers of one process, until it ends or takes too long for one."""
    read_end, write_end = os.pipe()
    process = _fork()
    if not process:
        _serve(works, write_end, cpu_s)
    os.close(write_end)
    frames = FrameReader()
    try:
        while chunk := _read(read_end, cpu_s * WALL_PER_CPU):
            yield from frames.feed(chunk)
    except WireError:
        return
    finally:
        os.close(read_end)
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)


def _fork() -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of threads: those of numpy's library stand a fork
        return os.fork()


def _read(read_end: int, seconds: float) -> bytes:
    """Return the next bytes; empty at the end, or where none come for so long."""
    ready, _, _ = select.select([read_end], [], [], seconds)
    return os.read(read_end, _CHUNK_BYTES) if ready else b""


def _serve(works: Sequence[Work], write_end: int, cpu_s: int) -> NoReturn:
    """Do the work, in the new process, which ends here."""
    with contextlib.suppress(BaseException):
        _silence()
        _limit(resource.RLIMIT_CORE, 0)
        _limit(resource.RLIMIT_AS, measure_address_space() + MEMORY_BYTES)
        with open(write_end, "wb") as answers:
            for work in works:
                _limit(resource.RLIMIT_CPU, math.ceil(time.process_time()) + cpu_s)
                answers.write(pack_frame(_do(work)))
                answers.flush()
    os._exit(0)


def _silence() -> None:
    """Write what the code prints nowhere."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)


def _limit(kind: int, value: int) -> None:
    _, most = resource.getrlimit(kind)
    is_lower = most == resource.RLIM_INFINITY or value < most
    resource.setrlimit(kind, (value if is_lower else most, most))


def _do(work: Work) -> bytes:
    try:
        return work()
    except BaseException:  # noqa: BLE001  (such as SystemExit; a fault costs the answer)
        return b""
