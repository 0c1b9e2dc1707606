"""Target: creates files like those of the grader, and a process with the grader's rights, for attacks to aim at.

The files may be damaged, as the negative controls do. The process holds a secret in its environment and its memory, and
listens on a port and two sockets.
"""

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
    """A folder like Gradescope's, private to the grader, and a process with its rights; `close` removes both."""

    def __init__(self) -> None:
        self.secret = secrets.token_hex(16)
        self.root = Path(tempfile.mkdtemp(prefix="autograder-hostile-", dir="/tmp"))
        self._process: subprocess.Popen[bytes] | None = None
        self._told: dict[str, Any] = {}
        self.restore()

    def restore(self) -> None:
        """Create all files anew."""
        self._end_process()
        for child in self.root.iterdir():
            shutil.rmtree(child) if child.is_dir() else child.unlink()
        self.root.chmod(0o755)
        key = f"KEY = {self.secret!r}\n"
        for name, text, folder_mode in (
            ("source/reference/__init__.py", "", 0o700),
            ("source/reference/fitting.py", key, 0o700),
            ("source/tests/hidden/test_fitting.py", key, 0o700),
            ("source/autograder/sandbox/worker/worker.py", key, 0o700),
            ("results/results.json", f'{{"output": "{self.secret}"}}', 0o700),
            ("submission_metadata.json", f'{{"users": "{self.secret}"}}', 0o755),
            ("neighbour/fitting.py", key, 0o700),
            ("site-packages/numpy.py", "", 0o755),
            ("scratch/given", '{"score": 100}', 0o777),
        ):
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            path.chmod(0o600)
            path.parent.chmod(folder_mode)
        (self.root / "source").chmod(0o700)
        shutil.copy("/usr/bin/id", self.root / "id")
        (self.root / "id").chmod(0o4755)
        self._before = self._read_states()

    def brief_attacker(self, callback: object) -> dict[str, Any]:
        """Return all facts that an attacker could use."""
        if self._process is None or not self.is_alive():
            self._start_process()
        root = self.root
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
            **self._told,
            "array": np.array(INPUT),
            "callback": callback,
        }

    def list_changes(self) -> list[str]:
        """List the files that were added, removed or changed."""
        now = self._read_states()
        return sorted(name for name in self._before.keys() | now.keys() if self._before.get(name) != now.get(name))

    def is_alive(self) -> bool:
        """Tell whether the process is running."""
        return self._process is None or self._process.poll() is None

    def close(self) -> None:
        """End the process and remove the files."""
        self._end_process()
        shutil.rmtree(self.root)

    def _start_process(self) -> None:
        """Start a process that holds the secret and listens."""
        socket, abstract = f"{self.root}/scratch/{secrets.token_hex(4)}", f"autograder-hostile-{os.getpid()}"
        command = [sys.executable, "-I", "-S", "-c", _LISTENER, socket, abstract]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, env={"TOKEN": self.secret}, start_new_session=True)
        assert process.stdout is not None
        address, port, segment = json.loads(process.stdout.readline())
        process.stdout.close()
        places = {"address": address, "port": port, "segment": segment, "socket": socket, "abstract": abstract}
        self._process, self._told = process, {"grader": process.pid, **places}

    def _end_process(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._process = None

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
