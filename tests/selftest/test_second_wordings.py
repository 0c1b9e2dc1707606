"""A mistake that another person makes, in other words, has the same diagnosis."""

from __future__ import annotations

import pytest

from autograder.results import Verdict
from tests.mistakes import submission_source
from tests.selftest.grading import ASSIGNMENT, checks_of
from tests.selftest.second_wordings import Wording, load

WORDINGS = [wording for stem in ASSIGNMENT.stems for wording in load(stem)]


@pytest.mark.parametrize("wording", WORDINGS, ids=lambda wording: f"{wording.mistake_id}-{wording.code.__name__}")
def test_another_wording_has_the_diagnosis_of_the_mistake(wording: Wording) -> None:
    checks = checks_of(wording.stem, submission_source(wording.as_mistake()))
    failed = {name: check for name, check in checks.items() if check.verdict is not Verdict.PASSED}
    assert failed
    outputs = "\n".join(f"{name}: {check.output} {check.fault}" for name, check in failed.items())
    diagnoses = [check.diagnosis for check in failed.values()]
    assert {*diagnoses} <= {wording.mistake_id, None}, outputs
    assert 2 * diagnoses.count(wording.mistake_id) > len(failed), outputs  # in others it may show another fault as well


def test_every_question_has_wordings_of_several_mistakes() -> None:
    named = {stem: {wording.mistake_id for wording in load(stem)} for stem in ASSIGNMENT.stems}
    assert {stem: len(ids) for stem, ids in named.items() if len(ids) < 5} == {}
    assert sum(len(ids) for ids in named.values()) >= 90
