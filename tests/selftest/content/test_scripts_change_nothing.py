"""Results are the same bytes with scripts and without: here of a sample and of every broken upload.

`python -m tests.selftest.support.same_results` compares all. What is recorded as golden was recorded without scripts.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator

import pytest

from autograder.grading.attempt_result import AttemptResult
from autograder.grading.hidden_test import HiddenTest
from autograder.grading.script_runner import ScriptRunner
from autograder.submission import Submission
from tests.selftest.golden.regenerate import BROKEN, golden_path, results_of_broken_uploads
from tests.selftest.support.same_results import GROUPS, Pair, list_examples
from tests.selftest.support.text_grading import shorten_loops

_STEPS = {"mistakes": 41, "wordings": 24, "carriers": 7, "styles": 6}  # of a group, one submission in so many
_QUICK = "half_done"


def list_sample() -> Iterator[tuple[str, Submission]]:
    """List a sample of every group, and the example that has something of everything."""
    for group, step in _STEPS.items():
        for name, submission in itertools.islice(GROUPS[group](), 0, None, step):
            yield f"{group}-{name}", submission
    yield from ((name, submission) for name, submission in list_examples() if name == _QUICK)


SAMPLE = dict(list_sample())


@pytest.fixture(scope="module")
def pair() -> Iterator[Pair]:
    """Yield the two graders of this file."""
    with Pair() as made:
        yield made


@pytest.mark.parametrize("name", SAMPLE)
def test_a_submission_has_the_same_results(name: str, pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    shorten_loops(monkeypatch)
    assert pair.find_differences(SAMPLE[name]) == []


def test_broken_uploads_have_the_recorded_results_without_scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ScriptRunner, "find_pass", lambda *_: None)
    assert results_of_broken_uploads() == json.loads(golden_path(BROKEN).read_text(encoding="utf-8"))


def test_a_pass_that_an_attempt_alone_does_not_find_would_be_noticed(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find_wrongly(self: ScriptRunner, _test: HiddenTest) -> AttemptResult | None:
        return AttemptResult() if self.runner.scripts is not None else None

    monkeypatch.setattr(ScriptRunner, "find_pass", find_wrongly)
    name = next(name for name in SAMPLE if name.startswith("mistakes"))
    assert pair.find_differences(SAMPLE[name]) != []
