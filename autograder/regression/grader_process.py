"""Grader process: grades one submission after another with one zygote, for the run that started it.

Run with the grader's rights, as python -I grader_process.py DESCRIPTOR; like every grader it runs no student code.
Trusts the process at the other end of the descriptor, a socket that carries lines of JSON: first the settings, then a
reply for each submission. It ends when the socket is closed or its parent dies.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import socket
import sys
import traceback
from contextlib import closing
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy is imported: one thread, as when one submission is graded
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from autograder import PROJECT
from autograder.assignment import AssignmentError, load_assignment
from autograder.grader import Grader, SelfCheck
from autograder.gradescope.results_json import build_results
from autograder.grading.hidden_test import HiddenTestError
from autograder.regression.packed_submission import PackedSubmission, encode_line
from autograder.regression.question_store import QuestionStore
from autograder.regression.reuse import ReusedReport, ReusingGrader
from autograder.results import Report
from autograder.sandbox.host.client import SandboxError
from autograder.sandbox.isolation import kernel
from autograder.submission import Submission, SubmissionError, read_tree, select_questions


def serve(descriptor: int) -> None:
    """Serve until the other end closes the connection."""
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the run handles Ctrl-C and ends this process
    with socket.socket(fileno=descriptor) as connection, connection.makefile("rb") as lines:
        settings = json.loads(lines.readline())
        try:
            server = _Server(settings)
        except (AssignmentError, HiddenTestError, SandboxError, SubmissionError) as error:
            connection.sendall(encode_line({"refusal": str(error)}))
            return
        gc.freeze()  # objects loaded so far are permanent: exclude them from garbage collection
        connection.sendall(encode_line({"ready": True}))
        with closing(server):
            for line in lines:
                connection.sendall(encode_line(server.reply_to(json.loads(line))))


class _Server:
    """The grader and settings that all submissions share."""

    def __init__(self, settings: dict[str, Any]) -> None:
        assignment = load_assignment(PROJECT)
        only = settings["only"] or None
        self._questions = select_questions(assignment, only)
        self._deadline_s = settings["deadline_s"]
        layer_cache = Path(settings["layer_cache"]) if settings["layer_cache"] else None
        reuse = settings["reuse"]
        self_check = SelfCheck(Path(settings["results_dir"]), layer_cache, settings["is_strict"])
        self._grader = Grader(assignment, only=only, self_check=self_check)
        self._store = QuestionStore([Path(folder) for folder in reuse["folders"]], reuse["run"]) if reuse else None
        self._reusing = self._open_reusing_grader(self._store, reuse) if self._store is not None else None

    def reply_to(self, message: dict[str, Any]) -> dict[str, Any]:
        """Grade one submission; return its results, or the reason why it is unreadable, or our fault."""
        try:
            submission = read_tree(PackedSubmission.from_json(message), self._questions)
            graded = self._grade(submission, message["again"])
        except SubmissionError as error:
            return {"unreadable": str(error)}
        except Exception:  # noqa: BLE001  (any other error is our fault with this submission; the others are graded)
            return {"fault": traceback.format_exc(limit=-6)}
        report = graded.report
        return {
            "results": build_results(report).as_fields(),
            "seconds": {check.number or check.title: round(check.seconds, 4) for check in report.checks},
            "questions": len(report.questions),
            "reused": graded.reused,
            "refused": self._take_refused(),
        }

    def _grade(self, submission: Submission, again: list[str]) -> ReusedReport:
        if self._reusing is not None:
            return self._reusing.grade(submission, again)
        return ReusedReport(self._grade_all(submission))

    def _grade_all(self, submission: Submission) -> Report:
        return self._grader.grade(submission, deadline_s=self._deadline_s)

    def _open_reusing_grader(self, store: QuestionStore, reuse: dict[str, Any]) -> ReusingGrader:
        hashes, groups = reuse["hashes"], reuse["groups"]
        return ReusingGrader(self._grade_all, store, hashes=hashes, groups=groups, deadline_s=self._deadline_s)

    def _take_refused(self) -> list[str]:
        """Return the problems with stored results since the last call."""
        refused: list[str] = []
        if self._store is not None:
            refused, self._store.refused = self._store.refused, []
        return refused

    def close(self) -> None:
        """End the zygote."""
        self._grader.close()


if __name__ == "__main__":
    serve(int(sys.argv[1]))
