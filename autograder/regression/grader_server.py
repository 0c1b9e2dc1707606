"""Grader server: grades the submissions that grader processes receive, one after another, with one grader.

Run with the grader's rights; like every grader it runs no student code.
"""

from __future__ import annotations

import traceback

from autograder.assignment import AssignmentError, load_assignment
from autograder.grader import Grader, SelfCheck
from autograder.gradescope.results_json import build_results
from autograder.grading.hidden_test import HiddenTestError
from autograder.regression.grader_pool import Job, Reply, Settings
from autograder.regression.reuse import ReusedReport, ReusingGrader
from autograder.results import Report
from autograder.sandbox.host.launcher import Launcher, SandboxError
from autograder.submission import Submission, SubmissionError, read_tree

REFUSALS = (AssignmentError, HiddenTestError, SandboxError, SubmissionError)  # nothing can be graded


class GraderServer:
    """The grader and settings that all submissions share."""

    def __init__(self, settings: Settings, launcher: Launcher) -> None:
        """Collect the hidden tests; `launcher`: of the zygote, which may be starting still.

        Raises one of the REFUSALS.
        """
        self._settings = settings
        self._only = settings.only or None
        self._assignment = load_assignment(settings.root)
        self_check = SelfCheck(settings.results_dir, settings.layer_cache, settings.is_strict)
        self._grader = Grader(self._assignment, only=self._only, self_check=self_check, launcher=launcher)
        self._reusing: ReusingGrader | None = None
        if settings.reuse is not None:
            self._reusing = ReusingGrader(self._grade_all, settings.reuse, deadline_s=settings.deadline_s)

    def reply_to(self, job: Job) -> Reply:
        """Grade one submission; return its results, or the reason why it is unreadable, or our fault."""
        if job.again or not self._settings.keeps_passes:
            self._grader.forget_passes()
        try:
            submission = read_tree(job.packed, self._assignment, self._only)
            graded = self._grade(submission, job)
        except SubmissionError as error:
            return Reply(unreadable=str(error))
        except Exception:  # noqa: BLE001  (any other error is our fault with this submission; the others are graded)
            return Reply(fault=traceback.format_exc(limit=-6))
        report = graded.report
        return Reply(
            results=build_results(report).as_fields(),
            seconds={check.number or check.title: round(check.seconds, 4) for check in report.checks},
            questions=len(report.questions),
            reused=graded.reused,
            refused=graded.refused,
        )

    def _grade(self, submission: Submission, job: Job) -> ReusedReport:
        if self._reusing is not None:
            return self._reusing.grade(submission, job.again)
        return ReusedReport(self._grade_all(submission))

    def _grade_all(self, submission: Submission) -> Report:
        return self._grader.grade(submission, deadline_s=self._settings.deadline_s)

    def take_zygote(self, launcher: Launcher) -> None:
        """Use the zygote of this launcher, in a fork of the process that loaded the grader."""
        self._grader.take_zygote(launcher)
