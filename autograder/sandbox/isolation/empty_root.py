"""Empty root: gives a worker a folder that is empty and stays empty as its whole file system.

Run with the grader's rights: `create` once by the zygote, `enter` by each worker while it may still change its root.
Trusts the kernel: in a folder that was removed while it is a process's current folder, not even root can create a file,
and it disappears with its last process.
"""

from __future__ import annotations

import contextlib
import os

from autograder.sandbox.protocol.layers import LayerMissing

_FOLDERS = ("/tmp", "/var/tmp", "/dev/shm", "/run", "/")  # noqa: S108  (the folder's name cannot be guessed)


def create() -> None:
    """Create an empty, removed folder and make it the current one; LayerMissing if none can be created."""
    for parent in _FOLDERS:
        folder = f"{parent}/autograder-empty-{os.urandom(8).hex()}"
        with contextlib.suppress(OSError):
            os.mkdir(folder)
            os.chdir(folder)
            os.rmdir(folder)
            os.chmod(".", 0o555)  # noqa: S103  (independent of the umask; that it is empty is no secret)
            return
    raise LayerMissing(f"no folder could be made in {', '.join(_FOLDERS)}")


def enter() -> None:
    """Make the current folder, as `create` left it, the root."""
    here = os.stat(".")
    if here.st_nlink != 0:
        raise LayerMissing("the current folder is not a removed one")
    os.chroot(".")
    if not os.path.samestat(os.stat("/"), here) or os.listdir("/"):
        raise LayerMissing("the root folder did not change")
