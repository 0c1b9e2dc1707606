"""Body: turns a derived check into the plain call by which the grader runs any hidden test."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograder.checks.check_failed import CheckFailed
from autograder.checks.dry_run import reads_replies
from autograder.contracts.check import CaseCheck
from autograder.contracts.contract import Check, DerivedCheck
from autograder.contracts.judgement import Judgement, judge
from autograder.contracts.request import answer_by, ask_all
from autograder.student import Student


class CheckBody:
    """The body of the hidden test that a check is; the contract derives the check when it is first called."""

    def __init__(self, check: Check, *, stem: str, seed: str) -> None:
        self._check, self._stem, self._seed = check, stem, seed

    @property
    def derived(self) -> DerivedCheck:
        """The data of the check."""
        return self._check.derive(self._seed)

    def __call__(self, student: Student) -> None:
        """Send the requests, and fail unless all replies are right."""
        run_check(self.derived, student, self._stem)


def run_check(derived: DerivedCheck, student: Student, stem: str) -> None:
    """Send the requests of a check, and raise CheckFailed, with the share that is earned, unless all is right."""
    replies = ask_all(getattr(student, stem), derived.requests)
    _require_right(derived, replies)


@reads_replies
def _require_right(derived: DerivedCheck, replies: Sequence[Any]) -> None:
    judgement = _judge(derived, replies)
    if judgement.failure is not None:
        judgement.failure.share = judgement.share
        raise judgement.failure


def _judge(derived: DerivedCheck, replies: Sequence[Any]) -> Judgement:
    return judge(derived, replies) if isinstance(derived, CaseCheck) else derived.judge(replies)


def judge_functions(
    derived: DerivedCheck, find: Callable[[str], Callable[..., Any]]
) -> tuple[float, CheckFailed | None]:
    """Judge functions of this process, found by name: the share of the points that they earn, and the failure."""
    replies = [answer_by(find, each) for each in derived.requests]
    judgement = _judge(derived, replies)
    return judgement.share, judgement.failure
