"""Grader process: loads the grader once, and forks processes that grade one submission after another.

Run with the grader's rights, as python -I grader_process.py DESCRIPTOR; like every grader it runs no student code.
Trusts the run, at the other end of the descriptor, a socket of packets of JSON: first what to load, answered by
{"refusal": TEXT}; then {} with the socket of a process to fork, answered by {"pid": PID}, or {"end": PID}, answered by
{"status": EXIT STATUS}. A fork gets submissions, lines of JSON, and answers each by the fields of a `Reply`. Forks end
with this process, and it with its socket or with the run. What is loaded is in memory once.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import socket
import sys
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    from autograder.cpu_count import ONE_THREAD

    os.environ.update(ONE_THREAD)  # before numpy is imported
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the run handles Ctrl-C and ends this process

from autograder.assignment import AssignmentError, load_assignment
from autograder.grader import Grader, SelfCheck
from autograder.gradescope.results_json import build_results, encode_valid
from autograder.grading.hidden_test import HiddenTestError
from autograder.regression.roster import decode_submission
from autograder.sandbox.host.launcher import Launcher, SandboxError
from autograder.sandbox.isolation import kernel
from autograder.submission import SubmissionError, read_tree

_REFUSALS = (AssignmentError, HiddenTestError, SandboxError, SubmissionError)  # nothing can be graded
_PACKET_BYTES = 1 << 16


class LoadedGrader:
    """The grader that all forks share, and the zygote of each fork."""

    def __init__(self, request: Mapping[str, Any]) -> None:
        """Collect the hidden tests and check the sandbox; raises one of the _REFUSALS."""
        self._assignment = load_assignment(Path(request["root"]))
        self._only = request["only"] or None
        self._deadline_s = request["deadline_s"]
        self._unused: Launcher | None = self._launch()
        self._forks: dict[int, Launcher] = {}
        self._grader = Grader(
            self._assignment,
            only=self._only,
            self_check=SelfCheck(Path(request["results_dir"]), request["is_strict"]),
            kept=Path(request["kept"]) if request["kept"] else None,
            launcher=self._unused,
        )
        kernel.return_large_memory()
        gc.freeze()  # what is loaded so far is permanent: a collection would change, and copy, its pages

    def fork(self, control: socket.socket, descriptor: int) -> int:
        """Fork a process that answers the lines of a socket; return its pid."""
        launcher, self._unused = self._unused or self._launch(), None
        with socket.socket(fileno=descriptor) as connection, launcher.control:

            def serve() -> None:
                control.close()
                self._grader.take_zygote(launcher)
                with connection.makefile("rb") as lines:
                    for line in lines:
                        connection.sendall(json.dumps(self._reply_to(json.loads(line))).encode("ascii") + b"\n")

            pid = kernel.fork_with_parent_death_signal(serve)
        self._forks[pid] = launcher
        return pid

    def end(self, pid: int) -> int:
        """End a fork, which may have ended before, and its zygote; return its exit status."""
        launcher = self._forks.pop(pid)
        os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
        launcher.close()
        return os.waitstatus_to_exitcode(status)

    def close(self) -> None:
        """End all forks and zygotes and wait for them, so that what they computed is counted as this process's."""
        for pid in list(self._forks):
            self.end(pid)
        if self._unused is not None:
            self._unused.close()

    def _launch(self) -> Launcher:
        return Launcher(libraries=self._assignment.libraries)

    def _reply_to(self, packed: Mapping[str, Any]) -> dict[str, Any]:
        """Grade one submission; return its results, or the reason why it is unreadable, or our fault."""
        try:
            submission = read_tree(decode_submission(packed), self._assignment, self._only)
            report = self._grader.grade(submission, deadline_s=self._deadline_s)
            fields = build_results(report).as_fields()
            encode_valid(fields)
            return {"results": fields}
        except SubmissionError as error:
            return {"unreadable": str(error)}
        except Exception:  # noqa: BLE001  (any other error is our fault with this submission; the others are graded)
            return {"fault": traceback.format_exc(limit=-6)}


def main(control: socket.socket) -> None:
    """Load the grader, then fork and end processes until the run closes the socket."""
    kernel.end_with_parent(os.getppid())

    def reply(fields: Mapping[str, Any]) -> None:
        control.sendall(json.dumps(fields).encode("ascii"))

    request = control.recv(_PACKET_BYTES)
    if not request:  # the run needs no process any more
        return
    try:
        loaded = LoadedGrader(json.loads(request))
    except _REFUSALS as error:
        reply({"refusal": str(error)})
        return
    reply({"refusal": ""})
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, _PACKET_BYTES, 1)
        if not message:
            loaded.close()
            return
        if descriptors:
            reply({"pid": loaded.fork(control, descriptors[0])})
        else:
            reply({"status": loaded.end(json.loads(message)["end"])})


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])))
    os._exit(0)  # whose forks and zygotes end with it
