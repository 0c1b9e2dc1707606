"""Zygote: loads the libraries that workers share, then forks one confined worker per request.

Run by the grader through exec, with the grader's rights and a new environment:
python -s -S zygote.py CONTROL_DESCRIPTOR ENGINE SITE_PACKAGES OMITTED_LAYERS LIBRARIES. It enters an empty folder and
namespaces of its own. It contains no secret, and never sees a test, a reference or a student byte: the grader sends
file descriptors and limits, which the fork inherits. Trusts its arguments and the control socket, which no worker has.
"""

from __future__ import annotations

import os
import sys

if __name__ == "__main__":
    # Before any other import, so that the script's own folder shadows no module.
    sys.path[:] = [path for path in sys.path[1:] if path] + sys.argv[2:4]
    # No fork hooks of modules: new locks, unnecessary with one thread, and new random seeds. They would write to a
    # tenth of a worker's pages, and all workers must have the same random numbers.
    os.register_at_fork = lambda **hooks: None

import contextlib
import errno
import gc
import marshal
import signal
import socket
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from autograder.sandbox import limits as limit
from autograder.sandbox import preload
from autograder.sandbox.isolation import drop_privileges, kernel, namespaces, seccomp
from autograder.sandbox.isolation.drop_privileges import WorkerSpec, ZygoteState
from autograder.sandbox.limits import Limits
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.layers import explain_error, split_layers
from autograder.sandbox.worker import worker

_FOLDERS = ("/tmp", "/var/tmp", "/dev/shm", "/run", "/")  # noqa: S108  (the folder's name cannot be guessed)
_WORKER_FD = 3
_MEMORY_SCORE = Path("/proc/self/oom_score_adj")  # which workers inherit
_CHILDREN = Path("/proc/thread-self/children")
_ROUNDS = 10_000  # of killing all and reaping one child: a process that forks as fast as it is killed


def main() -> None:
    """Prepare what workers share, then serve the control socket."""
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    kernel.return_large_memory()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the grader handles Ctrl-C; the end of its socket ends this process
    control, left_out = int(sys.argv[1]), split_layers(sys.argv[4])
    libraries = [name for name in sys.argv[5].split(",") if name]
    search_path = [path for path in sys.path if path not in sys.argv[2:4]]
    if libraries:  # whose modules may import other packages late, until a worker loses its rights
        search_path.append(sys.argv[3])
    shared = _prepare(search_path=search_path, libraries=libraries)
    sys.dont_write_bytecode = True  # modules loaded before this line are compiled once; those of workers are not cached
    with contextlib.suppress(OSError):  # where there is no such file, the kernel chooses by size alone
        _MEMORY_SCORE.write_text(str(limit.MEMORY_SCORE), encoding="ascii")
    no_empty_root = _enter_empty_folder()
    reports = namespaces.enter(left_out, control=control)
    serve(control, ZygoteState(os.getpid(), tuple(reports), no_empty_root, **shared))


def _prepare(*, search_path: list[str], libraries: Sequence[str]) -> dict[str, Any]:
    """Load the libraries of workers; return what they share, fields of `ZygoteState`.

    `search_path`: the module search path from now on, without the grader's modules. `libraries`: modules that the
    assignment declares.
    """
    preload.load_for_all()
    packages = tuple(dict.fromkeys(name.partition(".")[0] for name in libraries))
    shared = {**_build_filter(), "library_bytes": preload.load_declared(libraries), "libraries": packages}
    sys.path[:] = search_path
    gc.collect()
    gc.freeze()
    return shared


def serve(control: int, state: ZygoteState) -> None:
    """Serve the control socket until the grader closes it; then end the remaining workers."""
    workers = _Workers(state)
    connection = socket.socket(fileno=control)
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # the grader has closed, and reads no more
        while True:
            request, descriptors, _, _ = socket.recv_fds(connection, 1024, 2)
            if not request:
                break
            kind, *arguments = marshal.loads(request)  # noqa: S302  (the grader's)
            if kind == messages.SPAWN:
                connection.send(marshal.dumps(workers.spawn(descriptors, *arguments)))
            else:
                connection.send(marshal.dumps(workers.end(*arguments)))
    workers.end_all()


def _build_filter() -> dict[str, Any]:
    try:
        return {"filter_parts": seccomp.split_at_own_pid(seccomp.build_filter())}
    except (OSError, ImportError) as error:
        return {"no_filter": explain_error(error)}


class _Workers:
    """The workers that are running."""

    def __init__(self, state: ZygoteState) -> None:
        self._state = state
        self._worker = worker.prepare_worker(state.libraries)
        self._pids: set[int] = set()
        kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)  # all later orphans become its children

    def spawn(self, descriptors: list[int], uid: int | None, without: str, limits: tuple[int, ...]) -> int:
        """Fork a worker; return its pid, or the negative errno if that fails."""
        spec = WorkerSpec(Limits(*limits), uid, split_layers(without))
        pid = _fork()
        if pid == 0:
            _become_worker(self._worker, descriptors, self._state, spec)
        for descriptor in descriptors:
            os.close(descriptor)
        if pid > 0:
            self._pids.add(pid)
        return pid

    def end(self, pid: int) -> tuple[int, float]:
        """Kill and reap a worker and, after the last one, all orphans; return its status and its CPU time."""
        # Its zombie is not reaped yet, so the pid cannot belong to another process.
        if pid not in self._pids:
            return 0, 0.0
        os.kill(pid, signal.SIGKILL)
        _, status, usage = os.wait4(pid, 0)
        self._pids.discard(pid)
        if not self._pids:
            _kill_orphans()
        return status, usage.ru_utime + usage.ru_stime

    def end_all(self) -> None:
        """Kill and reap all workers."""
        for pid in list(self._pids):
            self.end(pid)


def _fork() -> int:
    try:
        return os.fork()
    except OSError as error:  # no more processes or no more memory
        return -(error.errno or errno.EAGAIN)


def _become_worker(prepared: worker.Worker, descriptors: list[int], state: ZygoteState, spec: WorkerSpec) -> NoReturn:
    try:
        connection, output = descriptors
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # its own: workers would share the flags of an inherited one
        os.dup2(output, 1)
        os.dup2(output, 2)
        os.dup2(connection, _WORKER_FD)
        _close_from(_WORKER_FD + 1)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        worker.serve(prepared, socket.socket(fileno=_WORKER_FD), enter=lambda: drop_privileges.enter(state, spec))
    finally:
        os._exit(1)


def _close_from(first: int) -> None:
    for name in os.listdir("/proc/self/fd"):
        if int(name) >= first:
            with contextlib.suppress(OSError):  # the descriptor of this listing itself
                os.close(int(name))


def _kill_orphans() -> None:
    """Kill and reap the processes that workers left behind, if no filter prevented them from starting any.

    Called when no worker is alive. A process below the zygote that loses its parent becomes the zygote's child, because
    the zygote is the first process of its namespace or a subreaper.
    """
    for _ in range(_ROUNDS):
        try:
            _kill_all()
            os.waitpid(-1, 0)
        except (ChildProcessError, FileNotFoundError):  # no child is left, or this kernel does not list them
            return


def _kill_all() -> None:
    if os.getpid() == 1:
        with contextlib.suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)  # all other processes of this pid namespace
        return
    for pid in _CHILDREN.read_text(encoding="ascii").split():
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(pid), signal.SIGKILL)


def _enter_empty_folder() -> str:
    """Make an empty, removed folder the current one, for workers to take as their root; return why there is none.

    In a folder that was removed while it is a process's current folder, not even root can create a file, and it
    disappears with its last process.
    """
    for parent in _FOLDERS:
        folder = f"{parent}/autograder-empty-{os.urandom(8).hex()}"
        with contextlib.suppress(OSError):
            os.mkdir(folder)
            os.chdir(folder)
            os.rmdir(folder)
            os.chmod(".", 0o555)  # noqa: S103  (independent of the umask; that it is empty is no secret)
            return ""
    return f"no folder could be made in {', '.join(_FOLDERS)}"


if __name__ == "__main__":
    main()
