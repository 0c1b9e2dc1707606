"""Empty root: a folder that holds nothing and can hold nothing, as the whole file system of a worker.

`create` is run by the zygote, once; `enter` by each worker while it may still change its root. Trusts the kernel: in a
folder that was removed while somebody stands in it nobody can make a file, not even root, and nothing is left behind.
"""

from __future__ import annotations

import contextlib
import os

from autograder.sandbox.protocol.layers import LayerMissing

_FOLDERS = ("/tmp", "/var/tmp", "/dev/shm", "/run", "/")  # noqa: S108  (the folder has a name nobody can guess)


def create() -> None:
    """Make the empty folder the current one, for this process and its forks; LayerMissing where none can be made."""
    for parent in _FOLDERS:
        folder = f"{parent}/autograder-empty-{os.urandom(8).hex()}"
        with contextlib.suppress(OSError):
            os.mkdir(folder)
            os.chdir(folder)
            os.rmdir(folder)
            os.chmod(".", 0o555)  # noqa: S103  (whatever the umask: others may know that it is empty)
            return
    raise LayerMissing(f"no folder could be made in {', '.join(_FOLDERS)}")


def enter() -> None:
    """Make the current folder, which `create` left behind, the root."""
    here = os.stat(".")
    if here.st_nlink != 0:
        raise LayerMissing("the current folder is not a removed one")
    os.chroot(".")
    if not os.path.samestat(os.stat("/"), here) or os.listdir("/"):
        raise LayerMissing("the root folder did not change")
