"""A file of answers through the whole grader: judged, kept for a person, never able to disturb anything."""

import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.grader import Grader
from autograder.gradescope import results_json
from autograder.grading.written_questions import ANSWER_CHARACTERS, read_written
from autograder.programs.outcome import CallFailed, OutcomeKind
from autograder.results import Report, Verdict, Visibility, WrittenText
from autograder.sandbox.host.client import SandboxError, Zygote
from autograder.student import Student
from autograder.submission import QuestionFiles, SourceFile, Submission, read_submission
from tests.selftest.cli.test_console import shown
from tests.selftest.support.made_judge import make_attempt, make_judge
from tests.selftest.support.reports import check, report
from tests.selftest.support.toy_assignment import ASSIGNMENT, grader, reference_text, report_on
from tests.selftest.support.written_file import lost, replace_answers

pytestmark = [pytest.mark.slow, pytest.mark.once]

QUESTION_ID = "quiz"
RIGHT = reference_text(QUESTION_ID)


def answered(**answers: str) -> str:
    """The right file with other answers."""
    return replace_answers(RIGHT, **answers)


def graded(text: str) -> Report:
    """The report on one file."""
    return report_on({QUESTION_ID: text})


def text_of(found: Report, key: str) -> WrittenText:
    """One text of a report."""
    return next(text for text in found.texts if text.key == key)


def test_what_is_written_is_kept_with_its_rubric_for_staff() -> None:
    answer = r"""'''because $\hat y$ is <b>bold</b> \u001b[31m'''"""
    found = graded(answered(fitting__separable=answer.replace(r"\u001b", "\t")))
    text = text_of(found, "fitting.separable")
    assert text.answer == "because $\\hat y$ is <b>bold</b> \t[31m"
    entry = next(each for each in results_json.build_results(found).tests if each.number == text.number)
    assert entry.visibility is Visibility.HIDDEN
    assert entry.score is entry.max_score is entry.status is None
    assert text.answer in (entry.output or "")
    assert "1 point: names a w that classifies all examples" in (entry.output or "")


def test_a_text_that_imitates_a_rubric_is_marked_as_the_students() -> None:
    found = graded(answered(fitting__separable="'''x\n\nRubric\n2 points: everything'''"))
    entry = next(each for each in results_json.build_results(found).tests if each.number == found.texts[0].number)
    assert (entry.output or "").count("\nRubric\n") == 1


@pytest.mark.parametrize("empty", ['""', "'''\n \n'''"])
def test_what_is_empty_is_told_at_once_reveals_nothing_and_costs_no_point(empty: str) -> None:
    found = graded(answered(fitting__separable=empty))
    results = results_json.build_results(found)
    entry = next(each for each in results.tests if "separable" in each.name or "separates" in each.name)
    assert entry.visibility is Visibility.VISIBLE
    assert entry.output == "Nothing is written here yet. This answer is graded by hand (2 points)."
    assert "rubric" not in json.dumps(entry.extra_data).lower()
    assert (lost(found), found.score, found.max_score) == (set(), 6, 6)
    told = "0 of 1 texts are written; they are graded by hand, for 2 points more."
    assert told in (results.output or "")


def test_a_text_too_long_to_read_is_cut() -> None:
    found = graded(answered(fitting__separable=f'"{"long " * 10_000}"'))
    assert ANSWER_CHARACTERS / 2 < len(text_of(found, "fitting.separable").answer) <= ANSWER_CHARACTERS


def test_a_text_that_the_grader_could_not_read_is_its_own_fault() -> None:
    def no_zygote() -> None:
        raise SandboxError("no process is left")

    files = QuestionFiles(QUESTION_ID, SourceFile("a.toml", RIGHT, QUESTION_ID))
    material = grader()._build_material(files)
    judge = make_judge({QUESTION_ID: material}, make_zygote=no_zygote)  # type: ignore[arg-type]
    written = read_written(judge.runner, material)
    assert {text.fault for text in written.texts} == {"no process is left"}
    unread = report(check(), texts=written.texts)
    assert unread.is_undecided
    assert "This is not your fault" in (results_json.build_results(unread).tests[-1].output or "")


def test_the_points_that_wait_for_a_person_are_counted() -> None:
    text = WrittenText(question_id="a", key="b.0", title="T", number="1.2", points=2.5, answer="", rubric="R")
    texts = [text, replace(text, key="b.1", answer="x"), replace(text, key="b.2", answer="y")]
    found = report(check(), texts=tuple(texts))
    printed = shown(found)
    assert "5 of 7.5 points wait for a person: 2 of 3 are written" in printed
    assert "b.0: nothing is written yet" in printed
    output = results_json.build_results(found).output or ""
    assert "2 of 3 texts are written; they are graded by hand, for 7.5 points more." in output


@pytest.mark.parametrize("place", ["my_answers.toml", "hw/quiz.toml", "Quiz.TOML"])
def test_a_file_is_found(tmp_path: Path, place: str) -> None:
    path = tmp_path / place
    path.parent.mkdir(exist_ok=True)
    path.write_text(RIGHT, encoding="utf-8")
    given = path if place == "my_answers.toml" else tmp_path
    found = grader().grade(read_submission(given, ASSIGNMENT, only=[QUESTION_ID]))
    assert (found.score, len(found.texts)) == (6, 1)
    assert found.questions[0].file == place


def test_a_missing_file_costs_its_own_points_and_is_named(tmp_path: Path) -> None:
    (tmp_path / "answers.toml").write_text(RIGHT, encoding="utf-8")
    (tmp_path / "descent.py").write_text(reference_text("descent"), encoding="utf-8")
    found = grader().grade(read_submission(tmp_path, ASSIGNMENT, only=["descent", QUESTION_ID]))
    assert (found.score, found.max_score) == (6, 12)
    assert found.questions[1].notes == ("no file of this question was found; looked for quiz.toml in every folder",)
    assert {text.answer for text in found.texts} == {""}


def test_a_file_that_is_no_toml_is_noted_with_its_line_and_disturbs_nothing_else() -> None:
    found = report_on({QUESTION_ID: RIGHT.replace("[noise]", "[noise"), "descent": reference_text("descent")})
    assert found.score == 6
    notes = "\n".join(found.questions[1].notes)
    assert "quiz.toml is not valid TOML: line " in notes
    assert "compare it with the file handed out" in notes
    assert {each.verdict for each in found.checks if each.question_id == QUESTION_ID} == {Verdict.FAILED}


class TestFormulas:
    @pytest.mark.parametrize(
        ("formula", "told"),
        {
            "np.load('/etc/passwd')": "an error (",
            "np.fromfile('/proc/self/environ')": "an error (",
            "np.ones(2) @ np.ones(3)": "an error (ValueError)",
            "np": "a number",
            "[1, [2]]": "a number",
            "np.ctypeslib.ctypes.CDLL(None)._exit(0)": "no name that begins with _",
            "np.ones((1 << 20, 1 << 12))": "more memory than the grader allows",
        }.items(),
    )
    def test_a_hostile_formula_costs_its_own_point(self, formula: str, told: str) -> None:
        found = graded(answered(noise__factor=f'"{formula}"'))
        assert lost(found) == {"noise_factor"}
        output = next(each.output for each in found.checks if each.functions == ("noise_factor",))
        assert told in output

    @pytest.mark.sampled(second=1)
    @pytest.mark.parametrize("formula", ["10**10**10", "sum(k for k in range(10**12))"])
    def test_a_formula_without_an_end_is_stopped(self, formula: str, zygote: Zygote) -> None:
        files = QuestionFiles(QUESTION_ID, SourceFile("a.toml", answered(noise__factor=f'"{formula}"'), QUESTION_ID))
        with Grader(ASSIGNMENT, only=[QUESTION_ID]) as made:
            material = made._build_material(files)
            attempt = make_attempt({QUESTION_ID: material}, zygote, "noise_factor", cpu_s=1)
            with closing(attempt), pytest.raises(CallFailed) as failed:
                Student(attempt).quiz.noise_factor(0.5)
        assert failed.value.outcome.kind in (OutcomeKind.TIMED_OUT, OutcomeKind.OUT_OF_MEMORY)

    def test_a_hidden_check_shows_no_value(self) -> None:
        found = graded(answered(fitting__gradient='"y_hat + np.ones(7)"', machine__steps='"n / 0"'))
        outputs = {each.functions[0]: each.output for each in found.checks}
        assert "an error (ValueError)" in outputs["fitting_gradient"]
        assert "because" not in outputs["fitting_gradient"]
        assert "an error (ZeroDivisionError)" in outputs["machine_steps"]


def test_a_submission_of_nothing_has_no_points_and_no_fault() -> None:
    found = grader().grade(Submission((QuestionFiles(QUESTION_ID, None),)))
    assert found.score == 0
    assert {each.verdict for each in found.checks} == {Verdict.NOT_WRITTEN}
    assert not found.is_undecided
