"""Grade requests: the program of a grader of a class, which reads requests and writes replies, lines of JSON.

Run with the grader's rights, as python -m autograder.regression.grade_requests; like every grader it runs no student
code. Trusts the run, at the other end of its standard input and output. The first line has the `GraderSettings`,
answered by {"refusal": TEXT}; each other one a submission, answered by the fields of a `Reply`. It ends with its input
or with the run. What staff's files print goes to standard error.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from autograder.assignment import AssignmentError, load_assignment
from autograder.grader import Grader, SelfCheck
from autograder.gradescope.results_json import build_results, encode_valid
from autograder.grading.hidden_test import HiddenTestError
from autograder.regression.roster import decode_submission
from autograder.sandbox.host.launcher import SandboxError
from autograder.sandbox.isolation import kernel
from autograder.submission import SubmissionError, read_tree

_REFUSALS = (AssignmentError, HiddenTestError, SandboxError, SubmissionError)  # nothing can be graded


class RequestGrader:
    """The grader of one process, with one zygote for all submissions."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        """Collect the hidden tests and check the sandbox; raises one of the _REFUSALS."""
        self._assignment = load_assignment(Path(settings["root"]))
        self._only = settings["only"] or None
        self._deadline_s = settings["deadline_s"]
        self.grader = Grader(
            self._assignment,
            only=self._only,
            self_check=SelfCheck(Path(settings["folder"]), settings["is_strict"]),
            kept=Path(settings["kept"]) if settings["kept"] else None,
        )

    def grade(self, packed: Mapping[str, Any]) -> dict[str, Any]:
        """Grade one submission; return its results, or the reason why it is unreadable, or our fault."""
        try:
            submission = read_tree(decode_submission(packed), self._assignment, self._only)
            report = self.grader.grade(submission, deadline_s=self._deadline_s)
            return {"results": json.loads(encode_valid(build_results(report)))}
        except SubmissionError as error:
            return {"unreadable": str(error)}
        except Exception:  # noqa: BLE001  (any other error is our fault with this submission; the others are graded)
            return {"fault": traceback.format_exc(limit=-6)}


def main() -> None:
    """Answer the requests until there are no more."""
    kernel.end_with_parent(os.getppid())
    kernel.return_large_memory()
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)

    def reply(fields: Mapping[str, Any]) -> None:
        replies.write(json.dumps(fields).encode("ascii") + b"\n")
        replies.flush()

    settings = sys.stdin.buffer.readline()
    if not settings:  # the run needs no grader any more
        return
    try:
        made = RequestGrader(json.loads(settings))
    except _REFUSALS as error:
        reply({"refusal": str(error)})
        return
    with made.grader:
        gc.freeze()  # what is loaded so far is permanent: a collection need not look at it
        reply({"refusal": ""})
        for line in sys.stdin.buffer:
            reply(made.grade(json.loads(line)))


if __name__ == "__main__":
    main()
