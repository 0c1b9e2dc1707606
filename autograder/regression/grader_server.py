"""Grader server: grades the submissions that a grader process receives, one after another, with one grader.

Run with the grader's rights; like every grader it runs no student code. Messages and replies are plain values.
"""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import Any

from autograder.assignment import AssignmentError, load_assignment
from autograder.grader import Grader, SelfCheck
from autograder.gradescope.results_json import build_results
from autograder.grading.hidden_test import HiddenTestError
from autograder.grading.identity import list_libraries
from autograder.regression.packed_submission import PackedSubmission
from autograder.regression.question_store import QuestionStore
from autograder.regression.reuse import ReusedReport, ReusingGrader
from autograder.results import Report
from autograder.sandbox.host.launcher import Launcher, SandboxError
from autograder.submission import Submission, SubmissionError, read_tree

REFUSALS = (AssignmentError, HiddenTestError, SandboxError, SubmissionError)  # nothing can be graded


class GraderServer:
    """The grader and settings that all submissions share."""

    def __init__(self, settings: dict[str, Any], launcher: Launcher) -> None:
        """Collect the hidden tests; `launcher`: of the zygote, which may be starting still.

        Raises one of the REFUSALS.
        """
        assignment = load_assignment(Path(settings["root"]))
        only = settings["only"] or None
        self._assignment, self._only = assignment, only
        self._deadline_s = settings["deadline_s"]
        layer_cache = Path(settings["layer_cache"]) if settings["layer_cache"] else None
        reuse = settings["reuse"]
        self._keeps_passes = settings["keeps_passes"]
        self_check = SelfCheck(Path(settings["results_dir"]), layer_cache, settings["is_strict"])
        self._grader = Grader(assignment, only=only, self_check=self_check, launcher=launcher)
        self._store = QuestionStore([Path(folder) for folder in reuse["folders"]], reuse["run"]) if reuse else None
        self._reusing = self._open_reusing_grader(self._store, reuse) if self._store is not None else None

    def reply_to(self, message: dict[str, Any]) -> dict[str, Any]:
        """Grade one submission; return its results, or the reason why it is unreadable, or our fault."""
        if message["again"] or not self._keeps_passes:
            self._grader.forget_passes()
        try:
            submission = read_tree(PackedSubmission.from_json(message), self._assignment, self._only)
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
        libraries = list_libraries(self._assignment)
        return ReusingGrader(
            self._grade_all, store, hashes=hashes, groups=groups, deadline_s=self._deadline_s, libraries=libraries
        )

    def _take_refused(self) -> list[str]:
        """Return the problems with stored results since the last call."""
        refused: list[str] = []
        if self._store is not None:
            refused, self._store.refused = self._store.refused, []
        return refused

    def close(self) -> None:
        """End the zygote."""
        self._grader.close()
