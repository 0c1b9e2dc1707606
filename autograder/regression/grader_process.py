"""Grader process: loads the grader, and grades one submission after another.

Run with the grader's rights, as python -I grader_process.py; like every grader it runs no student code. Trusts the run,
which writes its requests to standard input, each a line of JSON: first what to load, answered by {"refusal": TEXT},
then submissions, each answered by the fields of a `Reply` as a line of JSON. It ends with its input, or with the run.
"""

from __future__ import annotations

import json
import os
import signal
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
from autograder.gradescope.results_json import build_results
from autograder.grading.hidden_test import HiddenTestError
from autograder.regression.roster import decode_submission
from autograder.sandbox.host.launcher import SandboxError
from autograder.sandbox.isolation import kernel
from autograder.submission import SubmissionError, read_tree

_REFUSALS = (AssignmentError, HiddenTestError, SandboxError, SubmissionError)  # nothing can be graded


class GraderServer:
    """The grader that all submissions share."""

    def __init__(self, request: Mapping[str, Any]) -> None:
        """Collect the hidden tests and start a zygote; raises one of the _REFUSALS."""
        self._assignment = load_assignment(Path(request["root"]))
        self._only = request["only"] or None
        self._deadline_s = request["deadline_s"]
        self_check = SelfCheck(Path(request["results_dir"]), request["is_strict"])
        kept = Path(request["kept"]) if request["kept"] else None
        self._grader = Grader(self._assignment, only=self._only, self_check=self_check, kept=kept)

    def reply_to(self, packed: Mapping[str, Any]) -> dict[str, Any]:
        """Grade one submission; return its results, or the reason why it is unreadable, or our fault."""
        try:
            submission = read_tree(decode_submission(packed), self._assignment, self._only)
            report = self._grader.grade(submission, deadline_s=self._deadline_s)
            return {"results": build_results(report).as_fields()}
        except SubmissionError as error:
            return {"unreadable": str(error)}
        except Exception:  # noqa: BLE001  (any other error is our fault with this submission; the others are graded)
            return {"fault": traceback.format_exc(limit=-6)}

    def close(self) -> None:
        """End the zygote."""
        self._grader.close()


def main() -> None:
    """Answer each line of standard input; what anything else prints goes to standard error."""
    kernel.end_with_parent(os.getppid())
    with os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="ascii") as replies:
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())

        def reply(fields: Mapping[str, Any]) -> None:
            replies.write(json.dumps(fields) + "\n")
            replies.flush()

        request = sys.stdin.readline()
        if not request:  # the run needs no process any more
            return
        try:
            server = GraderServer(json.loads(request))
        except _REFUSALS as error:
            reply({"refusal": str(error)})
            return
        reply({"refusal": ""})
        for line in sys.stdin:
            reply(server.reply_to(json.loads(line)))
        server.close()


if __name__ == "__main__":
    main()
