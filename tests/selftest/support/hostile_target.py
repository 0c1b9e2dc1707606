"""Target: creates files like those of the grader, and a process with the grader's rights, for attacks to aim at.

The files may be damaged, as the negative controls do. The process holds a secret in its environment and its memory, and
listens on a port and two sockets.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

INPUT = (1.0, 2.0)
_LISTENER = """
import ctypes, json, os, signal, socket, sys
secret = ctypes.create_string_buffer(os.environ["TOKEN"].encode())
port, file, abstract = socket.socket(), socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
port.bind(("127.0.0.1", 0))
file.bind(sys.argv[1])
os.chmod(sys.argv[1], 0o777)
abstract.bind("\\0" + sys.argv[2])
for each in (port, file, abstract): each.listen(100)
libc = ctypes.CDLL(None)
libc.shmat.restype = ctypes.c_void_p
segment = libc.shmget(0, 4096, 0o1600)
ctypes.memmove(libc.shmat(segment, None, 0), secret, len(secret))
libc.shmctl(segment, 0, None)  # gone as soon as nobody is attached
print(json.dumps([ctypes.addressof(secret), port.getsockname()[1], segment]), flush=True)
signal.pause()
"""


class Target:
    """A folder like Gradescope's, private to the grader, and a process; `close` removes both."""

    def __init__(self) -> None:
        self.secret = secrets.token_hex(16)
        self.root = Path(tempfile.mkdtemp(prefix="autograder-hostile-", dir="/tmp"))
        self._process: _Process | None = None
        self.restore()

    def restore(self) -> None:
        """Create all files anew."""
        if self._process is not None:
            self._process.close()
        self._process = None
        for child in self.root.iterdir():
            shutil.rmtree(child) if child.is_dir() else child.unlink()
        self.root.chmod(0o755)
        key = f"KEY = {self.secret!r}\n"
        self._write("source/reference/__init__.py", "", folder_mode=0o700)
        self._write("source/reference/fitting.py", key, folder_mode=0o700)
        self._write("source/tests/hidden/test_fitting.py", key, folder_mode=0o700)
        self._write("source/autograder/sandbox/worker/worker.py", key, folder_mode=0o700)
        (self.root / "source").chmod(0o700)
        self._write("results/results.json", f'{{"output": "{self.secret}"}}', folder_mode=0o700)
        self._write("submission_metadata.json", f'{{"users": "{self.secret}"}}', folder_mode=0o755)
        self._write("neighbour/fitting.py", key, folder_mode=0o700)
        self._write("site-packages/numpy.py", "", folder_mode=0o755)
        self._write("scratch/given", '{"score": 100}', folder_mode=0o777)
        shutil.copy("/usr/bin/id", self.root / "id")
        (self.root / "id").chmod(0o4755)
        self._before = self._read_states()

    def brief_attacker(self, callback: object) -> dict[str, Any]:
        """Return all facts that an attacker could use."""
        if self._process is None or not self._process.is_alive:
            self._process = _Process(f"{self.root}/scratch/{secrets.token_hex(4)}", self.secret)
        root, process = self.root, self._process
        return {
            "reference": f"{root}/source/reference/fitting.py",
            "tests": f"{root}/source/tests/hidden",
            "source": f"{root}/source/autograder/sandbox/worker/worker.py",
            "project": f"{root}/source",
            "results_dir": f"{root}/results",
            "results": f"{root}/results/results.json",
            "metadata": f"{root}/submission_metadata.json",
            "neighbour": f"{root}/neighbour/fitting.py",
            "packages": f"{root}/site-packages",
            "scratch": f"{root}/scratch",
            "setuid": f"{root}/id",
            "secret": self.secret,
            "grader": process.pid,
            "address": process.address,
            "port": process.port,
            "socket": process.socket,
            "abstract": process.abstract,
            "segment": process.segment,
            "array": np.array(INPUT),
            "callback": callback,
        }

    def list_changes(self) -> list[str]:
        """List the files that were added, removed or changed."""
        now = self._read_states()
        return sorted(name for name in self._before.keys() | now.keys() if self._before.get(name) != now.get(name))

    def is_alive(self) -> bool:
        """Tell whether the process is running."""
        return self._process is None or self._process.is_alive

    def close(self) -> None:
        """End the process and remove the files."""
        if self._process is not None:
            self._process.close()
        shutil.rmtree(self.root)

    def _write(self, name: str, text: str, *, folder_mode: int) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(0o600)
        path.parent.chmod(folder_mode)

    def _read_states(self) -> dict[str, tuple[object, ...]]:
        found: dict[str, tuple[object, ...]] = {}
        for path in self.root.rglob("*"):
            status = path.lstat()
            is_file = path.is_file() and not path.is_symlink()
            content = hashlib.sha256(path.read_bytes()).digest() if is_file else b""
            if not path.is_socket():
                time = status.st_mtime_ns if is_file else 0
                found[str(path.relative_to(self.root))] = (content, oct(status.st_mode), status.st_nlink, time)
        return found


class _Process:
    """A process with the grader's rights, which holds the secret and listens."""

    def __init__(self, socket: str, secret: str) -> None:
        self.socket, self.abstract = socket, f"autograder-hostile-{os.getpid()}"
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _LISTENER, self.socket, self.abstract],
            stdout=subprocess.PIPE,
            env={"TOKEN": secret},
            start_new_session=True,
        )
        assert self._process.stdout is not None
        self.address, self.port, self.segment = json.loads(self._process.stdout.readline())
        self._process.stdout.close()

    @property
    def pid(self) -> int:
        """The pid, as the grader sees it."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Tell whether it is running."""
        return self._process.poll() is None

    def close(self) -> None:
        """End it."""
        self._process.kill()
        self._process.wait()
