"""What students do not see yet stays unseen: submissions that tell their inputs, over the tests of all questions."""

import re
from functools import cache

import pytest

from autograder.results import CheckResult, Verdict, Visibility
from tests.selftest.support.grading import ASSIGNMENT, checks_of, reference_text

pytestmark = [pytest.mark.slow, pytest.mark.once]

# Appended to the reference: every function first tells what it was given. `{ending}` is what it does then.
TALKER = """

import sys
def _told(arguments):
    print("INPUTS", arguments)
    print("INPUTS", arguments, file=sys.stderr)
    return "INPUTS_" + "".join(filter(str.isalnum, repr(arguments)))[:50]

def _talking(function):
    def talk(*arguments, **keywords):
        told = _told(arguments)
        {ending}
    return talk
"""
ENDINGS = {
    "a message": "raise ValueError(told)",
    "a class": "raise type(told, (ValueError,), {})()",
    "a file and a function": (
        "scope = {}; exec(compile(f'def {told}(): 1 / 0', __file__, 'exec'), scope); scope[told]()"
    ),
    "an object": "return type(told, (), {})()",
    "a key": "return {told: told}",
    "a text": "return told",
    "a wrong value": "return _wrong(function(*arguments, **keywords))",
}
WRONG = """
def _wrong(value):
    if isinstance(value, tuple):
        return tuple(map(_wrong, value))
    if isinstance(value, dict):
        return {key: _wrong(item) for key, item in value.items()}
    if isinstance(value, list):
        return [(item[1], item[0]) if isinstance(item, tuple) else _wrong(item) for item in value]
    return value * 1.5 + 0.25 if isinstance(value, (float, np.ndarray)) else value
"""
# The numbers that a text may hold: tolerances, and by how much the worst entry is off.
ALLOWED = re.compile(r"within [\d.e-]+|tolerance [\d.e-]+|error [\d.e+-]+ relative|20000|p_drop = 0\.\d+")


@cache
def graded(question_id: str, ending: str) -> dict[str, CheckResult]:
    """The results of a submission whose functions all tell their inputs in one way."""
    source = reference_text(question_id) + TALKER.replace("{ending}", ENDINGS[ending]) + WRONG
    names = [each.name for each in ASSIGNMENT.get_question(question_id).functions]
    talking = [f"\n{name} = _talking({name})\n" for name in names if name[0].islower() or "." in name]
    return checks_of(question_id, source + "".join(talking))


QUICK = "normalization"  # has few tests


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_submission_that_tells_its_inputs_tells_them_in_visible_tests_only(ending: str) -> None:
    checks = graded(QUICK, ending)
    failed = [check for check in checks.values() if check.verdict is Verdict.FAILED]
    assert any(check.score == 0 for check in checks.values())
    told = {check.visibility for check in checks.values() if "INPUTS" in check.output}
    assert told == {check.visibility for check in failed} - {Visibility.AFTER_DUE_DATE}


SLOW = ["word2vec", "adam", "q1c_neural"]  # to diagnose


@pytest.mark.parametrize(
    "question_id", [QUICK, *(pytest.param(question_id, marks=pytest.mark.ci) for question_id in SLOW)]
)
def test_no_expected_number_is_in_the_text_of_a_hidden_test(question_id: str) -> None:
    hidden = [
        each for each in graded(question_id, "a wrong value").values() if each.visibility is not Visibility.VISIBLE
    ]
    failed = [each.output for each in hidden if each.verdict is Verdict.FAILED]
    assert failed
    assert [text for text in failed if re.search(r"\d\.\d", ALLOWED.sub("", text))] == []


@pytest.mark.ci
def test_no_expected_word_is_in_the_text_of_a_hidden_test() -> None:
    checks = graded("parser_transitions", "a wrong value").values()
    failed = [each for each in checks if each.verdict is Verdict.FAILED]
    assert any("[('" in each.output for each in failed if each.visibility is Visibility.VISIBLE)
    hidden = [each.output for each in failed if each.visibility is Visibility.AFTER_DUE_DATE]
    assert hidden and [text for text in hidden if re.search(r"\[\(|'ROOT'|word\d", text)] == []
