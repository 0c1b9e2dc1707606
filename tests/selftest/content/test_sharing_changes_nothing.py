"""Results are the same bytes where checks share a worker and where each has its own.

A sample is compared here, and every broken upload.

`python -m tests.selftest.support.same_results` compares all. What is recorded as golden was recorded alone.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator

import pytest

from autograder.grading.attempt import Tried
from autograder.grading.ending import Passed
from autograder.grading.hidden_test import RunnableTest
from autograder.grading.shared_workers import SharedWorkers
from autograder.submission import Submission
from tests.selftest.golden.regenerate import BROKEN, golden_path, results_of_broken_uploads
from tests.selftest.support.same_results import GROUPS, Pair
from tests.selftest.support.text_grading import shorten_loops
from tests.selftest.support.tiers import sample

pytestmark = [pytest.mark.content, pytest.mark.once]

# Of a group, the number of submissions that are surely there, and one in so many of them is compared.
_STEPS = {"mistakes": (360, 41), "wordings": (130, 24), "carriers": (45, 7), "styles": (30, 6)}
SAMPLE = [(group, number) for group, (count, step) in _STEPS.items() for number in range(0, count, step)]


def take(group: str, number: int) -> Submission:
    """Take a submission of a group."""
    return next(itertools.islice(GROUPS[group](), number, None))[1]


@pytest.fixture(scope="module")
def pair() -> Iterator[Pair]:
    """Yield the two graders of this file."""
    with Pair() as made:
        yield made


@pytest.mark.parametrize(
    "place", sample(SAMPLE, by=lambda _: ["any"], name=lambda each: f"{each[0]}-{each[1]}", second=0, ci=1)
)
def test_a_submission_has_the_same_results(place: tuple[str, int], pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    shorten_loops(monkeypatch)
    assert pair.find_differences(take(*place)) == []


@pytest.mark.ci
def test_broken_uploads_have_the_recorded_results_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SharedWorkers, "try_first", lambda *_: None)
    assert results_of_broken_uploads() == json.loads(golden_path(BROKEN).read_text(encoding="utf-8"))


@pytest.mark.ci
def test_a_pass_that_an_attempt_alone_does_not_find_would_be_noticed(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find_wrongly(self: SharedWorkers, _test: RunnableTest) -> Tried | None:
        return Tried(Passed()) if self._runner.shares_workers else None

    monkeypatch.setattr(SharedWorkers, "try_first", find_wrongly)
    assert pair.find_differences(take("mistakes", 0)) != []
