"""Selection: what `--only` chooses, and that the verdicts on it are those of a whole run."""

from dataclasses import replace
from functools import cache

import pytest

from autograder.grader import Grader
from autograder.grading.collection import collect_hidden_tests
from autograder.grading.hidden_test import RunnableTest
from autograder.grading.selection import Selection, read_selection
from autograder.results import CheckResult
from autograder.submission import Submission, SubmissionError
from tests.selftest.support.toy_assignment import ASSIGNMENT, reference_text, report_on

pytestmark = pytest.mark.once

WRONG_SQUASH = "\n\ndef squash(x):\n    return 1.0 / (2.0 + np.exp(-np.asarray(x, dtype=float)))\n"
WRONG_GRADIENT = "\n\ndef log_loss(w, x, y):\n    return 1.0, 0 * w\n"


@cache
def all_tests() -> tuple[RunnableTest, ...]:
    return collect_hidden_tests(ASSIGNMENT, question_ids=ASSIGNMENT.question_ids)


def select(*words: str) -> Selection:
    return read_selection(words, ASSIGNMENT)


def chosen_by(*words: str) -> set[str]:
    selection = select(*words)
    return {each.test.number for each in all_tests() if selection.is_chosen(each.test)}


def numbers_where(question_id: str, function: str | None = None) -> set[str]:
    of_question = [each.test for each in all_tests() if each.test.question_id == question_id]
    return {test.number for test in of_question if function is None or function in test.functions}


class TestReading:
    def test_nothing_chosen_is_everything(self) -> None:
        assert chosen_by() == {each.test.number for each in all_tests()}
        assert select().question_ids == ()

    @pytest.mark.parametrize(
        ("word", "question_id", "function"),
        [
            ("descent", "descent", None),
            ("fitting.squash", "fitting", "squash"),
            ("machine.Machine.step", "machine", "Machine.step"),
            ("quiz.fitting.minimum", "quiz", "fitting_minimum"),
            ("quiz.fitting_minimum", "quiz", "fitting_minimum"),
        ],
        ids=["a question", "a function", "a method", "an answer by its key", "an answer by its name"],
    )
    def test_a_question_or_a_function(self, word: str, question_id: str, function: str | None) -> None:
        assert chosen_by(word) == numbers_where(question_id, function)
        assert (chosen_by(word) == numbers_where(question_id)) == (function is None)
        assert select(word).question_ids == (question_id,)

    @pytest.mark.parametrize("word", ["1.1", "test_squash_values", "test_fitting.py::test_squash_values"])
    def test_the_number_or_the_name_of_a_check(self, word: str) -> None:
        assert chosen_by(word) == {"1.1"}

    def test_a_mixture_in_the_order_of_the_assignment(self) -> None:
        selection = ("noise", "1.8", "fitting.squash")
        assert chosen_by(*selection) == {"1.8"} | numbers_where("noise") | numbers_where("fitting", "squash")
        assert select(*selection).question_ids == ("fitting", "noise")

    @pytest.mark.parametrize(
        ("word", "near"),
        {
            "rowss": "did you mean 'rows'?",
            "machine.Machine.stp": "did you mean 'machine.Machine.step' or ",
            "squash": "did you mean 'fitting.squash'?",
            "1.100": "did you mean '1.10' or ",
            "2.99": "did you mean '2.5' or '2.",
            "test_squash_valuess": "did you mean 'test_squash_values'",
        }.items(),
    )
    def test_an_unknown_name_gets_near_ones(self, word: str, near: str) -> None:
        with pytest.raises(SubmissionError) as raised:
            select("descent", word)
        assert near in str(raised.value)
        assert f"there is no question, function or check {word!r}" in str(raised.value)

    def test_a_name_like_no_other_gets_examples_alone(self) -> None:
        with pytest.raises(SubmissionError) as raised:
            select("\x1b[31m" + "§" * 1_000)
        text = str(raised.value)
        assert "did you mean" not in text
        assert "fitting.squash" in text
        assert text.isprintable()
        assert len(text) < 600


def test_all_that_functions_may_rely_on_is_judged_too() -> None:
    needed = {each.test.number for each in select("fitting.batch_loss").find_needed(all_tests())}
    assert numbers_where("fitting", "log_loss") < needed
    assert needed <= numbers_where("fitting")


def results_of(question_id: str, text: str, *words: str) -> list[CheckResult]:
    """The chosen results of a file, from a grader that judges what they need, and nothing else."""
    selection = select(*words)
    with Grader(ASSIGNMENT, only=selection.question_ids, choose=selection.find_needed) as grader:
        report = selection.keep(grader.grade(Submission.build(ASSIGNMENT, {question_id: text})))
    return [replace(check, seconds=0.0) for check in report.checks]


@pytest.mark.slow
class TestFairness:
    @pytest.mark.sampled(second=1)
    @pytest.mark.parametrize("wrong", [WRONG_SQUASH, WRONG_GRADIENT], ids=["squash", "gradient"])
    @pytest.mark.parametrize("word", ["fitting.log_loss", "fitting.batch_loss", "fitting.squash"])
    def test_a_function_alone_ends_as_in_a_whole_run(self, wrong: str, word: str) -> None:
        text = reference_text("fitting") + wrong
        alone = results_of("fitting", text, word)
        whole = {check.test_id: replace(check, seconds=0.0) for check in report_on({"fitting": text}).checks}
        assert alone == [whole[check.test_id] for check in alone]
        assert {check.number for check in alone} == numbers_where("fitting", word.partition(".")[2])


def test_texts_for_a_person_belong_to_the_whole_question() -> None:
    report = report_on({"quiz": reference_text("quiz")})
    number = min(numbers_where("quiz"))
    assert select("quiz").keep(report) == report
    assert report.texts
    assert select(number).keep(report).texts == ()
