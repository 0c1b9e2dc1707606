"""Start: loads the libraries that workers share, then becomes the zygote of a control socket.

Run by the grader through exec, with the grader's rights and a new environment. Trusts its arguments:
python -s -S __main__.py CONTROL_DESCRIPTOR ENGINE SITE_PACKAGES OMITTED_LAYERS LIBRARIES. It enters an empty
folder and namespaces of its own.
"""

from __future__ import annotations

import sys

if __name__ == "__main__":
    # Before any other import, so that the script's own folder shadows no module.
    sys.path[:] = [path for path in sys.path[1:] if path] + sys.argv[2:4]

import contextlib
import importlib
import os
import signal
from collections.abc import Iterator
from typing import Any

from autograder.sandbox.isolation import kernel, namespaces
from autograder.sandbox.protocol.layers import Layer, decode_layers

_FOLDERS = ("/tmp", "/var/tmp", "/dev/shm", "/run", "/")  # noqa: S108  (the folder's name cannot be guessed)


def main() -> None:
    """Prepare what workers share, then serve the control socket."""
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    kernel.return_large_memory()
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # the grader handles Ctrl-C; the end of the control socket ends this process
    control, left_out = int(sys.argv[1]), decode_layers(int(sys.argv[4]))
    libraries = [name for name in sys.argv[5].split(",") if name]
    search_path = [path for path in sys.path if path not in sys.argv[2:4]]
    if libraries:  # whose modules may import other packages late, until a worker loses its rights
        search_path.append(sys.argv[3])
    with _block_fork_hooks():
        zygote = importlib.import_module("autograder.sandbox.zygote.zygote")
        shared = zygote.prepare(search_path=search_path, libraries=libraries)
    sys.dont_write_bytecode = True  # modules loaded before this line are compiled once; those of workers are not cached
    _run_zygote(control, left_out, shared)


@contextlib.contextmanager
def _block_fork_hooks() -> Iterator[None]:
    """Ignore the fork hooks of modules: new locks, unnecessary with one thread, and new random seeds.

    They would write to a tenth of a worker's pages, and all workers must have the same random numbers.
    """
    register = os.register_at_fork
    os.register_at_fork = lambda **hooks: None
    try:
        yield
    finally:
        os.register_at_fork = register


def _run_zygote(control: int, left_out: frozenset[Layer], shared: dict[str, Any]) -> None:
    """Prepare the zygote's state, then serve the control socket."""
    no_empty_root, processes = _enter_empty_folder(), _open_processes()
    reports = namespaces.enter(left_out, control=control)
    zygote = importlib.import_module("autograder.sandbox.zygote.zygote")
    drop_privileges = importlib.import_module("autograder.sandbox.isolation.drop_privileges")
    state = drop_privileges.ZygoteState(os.getpid(), tuple(reports), no_empty_root, processes, **shared)
    zygote.serve(control, state)


def _open_processes() -> int:
    """Open /proc before it becomes read-only, so that each worker can be offered to the kernel's memory killer."""
    try:
        return os.open("/proc", os.O_PATH | os.O_DIRECTORY)
    except OSError:
        return -1


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
