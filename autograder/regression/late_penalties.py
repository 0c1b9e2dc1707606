"""Late penalties: turns the time of a submission in an export into what its lateness costs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from autograder.assignment import Assignment, LatePolicy
from autograder.gradescope.submission_policy import LateCharge, compute_late_charge
from autograder.regression.roster import Entry
from autograder.submission import SubmissionError

_IN_TIME = LateCharge(0, 0, 0.0)


@dataclass(frozen=True)
class LatePenalties:
    """The assignment's section on lateness, and the due date of the class; an export has neither it nor extensions."""

    policy: LatePolicy
    due: datetime

    def compute_charge(self, entry: Entry) -> LateCharge:
        """Compute the charge for a submission; nothing if its time is not known."""
        if entry.submitted is None:
            return _IN_TIME
        return compute_late_charge(self.policy, entry.submitted, self.due, [each.email for each in entry.people])


def read_late_penalties(assignment: Assignment, due: datetime | None) -> LatePenalties | None:
    """Return the penalties; None without a due date. SubmissionError if the assignment has no such section."""
    if due is None:
        return None
    if assignment.late is None:
        raise SubmissionError("--due needs the section [late] in reference/assignment.toml, which has the penalties")
    return LatePenalties(assignment.late, due)
