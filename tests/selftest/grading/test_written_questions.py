"""A file of answers through the whole grader: judged, kept for a person, never able to disturb anything."""

from __future__ import annotations

import json
import time
import zipfile
from pathlib import Path

import pytest

from autograder.grader import Grader
from autograder.gradescope import results_json
from autograder.grading.attempt import Attempt
from autograder.grading.attempt_run import AttemptRun
from autograder.grading.judge import make_judge
from autograder.grading.memory import WorkerMemory
from autograder.grading.written_questions import ANSWER_CHARACTERS, read_written
from autograder.mistakes import Mistake
from autograder.results import Report, Verdict, Visibility, WrittenText
from autograder.sandbox.host.client import SandboxError
from autograder.sandbox.protocol.outcome import CallFailed, OutcomeKind
from autograder.student import Student
from autograder.submission import QuestionFiles, SourceFile, Submission, read_submission
from tests.selftest.cli.test_console import shown
from tests.selftest.support.bank import build_submission_source, load
from tests.selftest.support.grading import ASSIGNMENT, grader, reference_text, report_on
from tests.selftest.support.reports import check, report

STEM = "written_answers"
RIGHT = reference_text(STEM)


def answered(**answers: str) -> str:
    """The right file with other answers; `dropout__gamma` stands for the key gamma of the table dropout."""
    text = RIGHT
    for name, value in answers.items():
        table, _, key = name.partition("__")
        start = text.index(f"\n{key} = ", text.index(f"[{table}]\n")) + 1
        text = text[:start] + f"{key} = {value}" + text[text.index("\n", start) :]
    return text


def graded(text: str) -> Report:
    """The report on one file."""
    return report_on({STEM: text})


def text_of(found: Report, key: str) -> WrittenText:
    """One text of a report."""
    return next(text for text in found.texts if text.key == key)


def lost(found: Report) -> set[str]:
    """The functions that did not pass."""
    return {name for each in found.checks if each.verdict is not Verdict.PASSED for name in each.functions}


def note_lines(found: Report) -> str:
    """The notes on the file."""
    return "\n".join(found.questions[0].notes)


class TestTexts:
    def test_what_is_written_is_kept_with_its_rubric_for_staff(self) -> None:
        answer = r"""'''because $\hat y$ is <b>bold</b> \u001b[31m'''"""
        found = graded(answered(word2vec__cross_entropy=answer.replace(r"\u001b", "\t")))
        text = text_of(found, "word2vec.cross_entropy")
        assert text.answer == "because $\\hat y$ is <b>bold</b> \t[31m"
        entry = next(each for each in results_json.build_results(found).tests if each.number == text.number)
        assert entry.visibility is Visibility.HIDDEN
        assert entry.score is entry.max_score is entry.status is None
        assert text.answer in (entry.output or "")
        assert "1 point: says that y is one-hot at o" in (entry.output or "")

    @pytest.mark.parametrize("empty", ['""', "'''\n \n'''"])
    def test_what_is_empty_is_told_at_once_and_reveals_nothing(self, empty: str) -> None:
        found = graded(answered(adam__momentum=empty))
        entry = next(each for each in results_json.build_results(found).tests if "momentum" in each.name)
        assert entry.visibility is Visibility.VISIBLE
        assert entry.output == "Nothing is written here yet. A person grades this answer, 2 points."
        assert "rubric" not in json.dumps(entry.extra_data).lower()
        assert lost(found) == set()

    def test_a_text_too_long_to_read_is_cut(self) -> None:
        found = graded(answered(adam__momentum=f'"{"long " * 10_000}"'))
        assert ANSWER_CHARACTERS / 2 < len(text_of(found, "adam.momentum").answer) <= ANSWER_CHARACTERS

    def test_texts_are_no_part_of_the_score(self) -> None:
        found = graded(answered(adam__momentum='""'))
        assert (found.score, found.max_score) == (20, 20)
        output = results_json.build_results(found).output or ""
        assert "5 of 6 texts are written; a person grades them, for 12 points more." in output

    def test_a_text_that_the_grader_could_not_read_is_its_own_fault(self) -> None:
        def no_zygote() -> None:
            raise SandboxError("no process is left")

        files = QuestionFiles(STEM, SourceFile("a.toml", RIGHT, STEM))
        material = grader()._build_material(files)
        judge = make_judge({STEM: material}, time.monotonic() + 60, make_zygote=no_zygote)  # type: ignore[arg-type]
        written = read_written(judge.runner, material, judge.deadline)
        assert {text.fault for text in written.texts} == {"no process is left"}
        unread = report(check(), texts=written.texts)
        assert unread.is_undecided
        assert "This is not your fault" in (results_json.build_results(unread).tests[-1].output or "")

    def test_the_terminal_says_how_many_points_wait_for_a_person(self) -> None:
        texts = [
            WrittenText(stem="a", key=key, title="T", number="1.2", points=2.5, answer=answer, rubric="R")
            for key, answer in (("b.c", "x"), ("b.d", ""), ("b.e", "y"))
        ]
        printed = shown(report(check(), texts=tuple(texts)))
        assert "5 of 7.5 points wait for a person: 2 of 3 are written" in printed
        assert "b.d: nothing is written yet" in printed


class TestFiles:
    @pytest.mark.parametrize("place", ["my_answers.toml", "hw/written_answers.toml", "Written_Answers.TOML"])
    def test_a_file_is_found(self, tmp_path: Path, place: str) -> None:
        path = tmp_path / place
        path.parent.mkdir(exist_ok=True)
        path.write_text(RIGHT, encoding="utf-8")
        given = path if place == "my_answers.toml" else tmp_path
        found = grader().grade(read_submission(given, ASSIGNMENT, only=[STEM]))
        assert (found.score, len(found.texts)) == (20, 6)
        assert found.questions[0].file == place

    def test_a_file_in_a_zip_is_found(self, tmp_path: Path) -> None:
        with zipfile.ZipFile(tmp_path / "work.zip", "w") as archive:
            archive.writestr("work/written_answers.toml", RIGHT)
            archive.writestr("work/pyproject.toml", "[tool]\n")
        found = grader().grade(read_submission(tmp_path / "work.zip", ASSIGNMENT, only=[STEM]))
        assert found.score == 20

    def test_a_missing_file_costs_its_own_points_and_is_named(self, tmp_path: Path) -> None:
        (tmp_path / "answers.toml").write_text(RIGHT, encoding="utf-8")
        (tmp_path / "sgd.py").write_text(reference_text("sgd"), encoding="utf-8")
        found = grader().grade(read_submission(tmp_path, ASSIGNMENT, only=["sgd", STEM]))
        assert (found.score, found.max_score) == (6, 26)
        assert found.questions[1].notes == (
            "no file of this question was found; looked for written_answers.toml in every folder",
        )
        assert {text.answer for text in found.texts} == {""}

    def test_two_files_of_one_name_are_not_told_apart(self, tmp_path: Path) -> None:
        for folder in ("one", "two"):
            (tmp_path / folder).mkdir()
            (tmp_path / folder / "written_answers.toml").write_text(RIGHT, encoding="utf-8")
        files = read_submission(tmp_path, ASSIGNMENT, only=[STEM]).questions[0]
        assert files.main is None
        assert files.is_ambiguous

    @pytest.mark.filterwarnings("ignore:Duplicate name")
    def test_two_members_of_a_zip_of_one_path_are_not_told_apart(self, tmp_path: Path) -> None:
        with zipfile.ZipFile(tmp_path / "work.zip", "w") as archive:
            archive.writestr("written_answers.toml", RIGHT)
            archive.writestr("written_answers.toml", "")
        submission = read_submission(tmp_path / "work.zip", ASSIGNMENT, only=[STEM])
        assert submission.questions[0].main is None
        assert "two files of this name" in submission.notes[0]

    def test_a_file_that_is_no_toml_is_noted_with_its_line_and_disturbs_nothing_else(self) -> None:
        found = report_on({STEM: RIGHT.replace("[dropout]", "[dropout"), "sgd": reference_text("sgd")})
        assert found.score == 6
        notes = "\n".join(found.questions[1].notes)
        assert "written_answers.toml is not valid TOML: line " in notes
        assert "compare it with the file handed out" in notes
        assert {each.verdict for each in found.checks if each.stem == STEM} == {Verdict.FAILED}


class TestFormulas:
    @pytest.mark.parametrize(
        ("formula", "note"),
        [
            ("1/(1-p_drop", "dropout.gamma has brackets that do not match"),
            ("1/(1-π)", "dropout.gamma holds π (greek small letter pi); write it in letters"),
            ("__import__('os').getpid()", "dropout.gamma uses the name '__import__'"),
            ("(lambda: 1)()", "dropout.gamma holds lambda"),
        ],
    )
    def test_a_notation_that_is_not_asked_for_costs_its_own_point_and_is_noted(self, formula: str, note: str) -> None:
        found = graded(answered(dropout__gamma=f'"{formula}"'))
        assert lost(found) == {"dropout_gamma"}
        assert note in note_lines(found)

    @pytest.mark.parametrize(
        ("formula", "told"),
        [
            ("np.load('/etc/passwd')", "an error ("),
            ("np.fromfile('/proc/self/environ')", "an error ("),
            ("np.ones(2) @ np.ones(3)", "an error (ValueError)"),
            ("np", "a number"),
            ("[1, [2]]", "a number"),
            ("np.ctypeslib.ctypes.CDLL(None)._exit(0)", "no name that begins with _"),
            ("np.ones((1 << 20, 1 << 12))", "more memory than the grader allows"),
        ],
    )
    def test_a_hostile_formula_costs_its_own_point(self, formula: str, told: str) -> None:
        found = graded(answered(dropout__gamma=f'"{formula}"'))
        assert lost(found) == {"dropout_gamma"}
        output = next(each.output for each in found.checks if each.functions == ("dropout_gamma",))
        assert told in output

    @pytest.mark.parametrize("formula", ["10**10**10", "sum(k for k in range(10**12))"])
    def test_a_formula_without_an_end_is_stopped(self, formula: str) -> None:
        files = QuestionFiles(STEM, SourceFile("a.toml", answered(dropout__gamma=f'"{formula}"'), STEM))
        with Grader(ASSIGNMENT, only=[STEM]) as made:
            material = made._build_material(files)
            judge = make_judge({STEM: material}, time.monotonic() + 60)
            zygote = judge.runner.start_zygote()
            attempt = AttemptRun(
                Attempt((), judge.deadline, cpu_s=1), {STEM: material}, zygote=zygote, memory=WorkerMemory()
            )
            with pytest.raises(CallFailed) as failed:
                Student(attempt).written_answers.dropout_gamma(0.5)
            attempt.close()
            judge.runner.close()
        assert failed.value.outcome.kind in (OutcomeKind.TIMED_OUT, OutcomeKind.OUT_OF_MEMORY)

    def test_a_hidden_check_shows_no_value(self) -> None:
        found = graded(answered(q1c__input_gradient='"y_hat + np.ones(7)"', parser__steps='"n / 0"'))
        outputs = {each.functions[0]: each.output for each in found.checks}
        assert "an error (ValueError)" in outputs["q1c_input_gradient"]
        assert "because" not in outputs["q1c_input_gradient"]
        assert "an error (ZeroDivisionError)" in outputs["parser_steps"]


class TestTables:
    def test_a_wrong_row_is_named_and_costs_its_share(self) -> None:
        found = graded(RIGHT.replace("ROOT presented findings at the NLP | conference ", "ROOT the NLP | conference "))
        rows, arcs = (each for each in found.checks if each.functions == ("parser_transitions",))
        assert (rows.verdict, rows.score, arcs.score) == (Verdict.PARTIAL, 1.88, 3.0)
        assert "row 9: the stack is not what SHIFT makes of the row before" in rows.output

    def test_the_table_handed_out_is_not_written_yet(self) -> None:
        start = RIGHT.index("ROOT I ")
        found = graded(RIGHT[:start] + RIGHT[RIGHT.index("'''", start) :])
        assert {each.verdict for each in found.checks if each.functions == ("parser_transitions",)} == {
            Verdict.NOT_WRITTEN
        }
        assert lost(found) == {"parser_transitions"}


def test_a_submission_of_nothing_has_no_points_and_no_fault() -> None:
    found = grader().grade(Submission((QuestionFiles(STEM, None),), (), "", 0))
    assert found.score == 0
    assert {each.verdict for each in found.checks} == {Verdict.NOT_WRITTEN}
    assert not found.is_undecided


# What the sources of the assignment get wrong or write in another convention, and one of each kind of answer.
TRAPS = """
    grad_center_sign grad_center_columns grad_center_without_one_hot grad_outside_all_columns
    zero_gradient_only_if_equal larger_updates_large_gradients gamma_one_over_p transitions_arrows_turned
    steps_one_a_word relu_derivative_columns relu_derivative_other_side grad_probabilities_sign
    input_gradient_sigma_of_one_minus input_gradient_columns
""".split()  # noqa: SIM905  (a column is read and edited more easily than quoted names)


@pytest.mark.parametrize("mistake", [each for each in load(STEM) if each.id in TRAPS], ids=lambda mistake: mistake.id)
def test_a_trap_is_diagnosed_as_itself(mistake: Mistake) -> None:
    failed = [each for each in graded(build_submission_source(mistake)).checks if each.verdict is not Verdict.PASSED]
    assert failed
    assert {each.diagnosis for each in failed} == {(mistake.id,)}
    assert all(f"A known mistake gives the same results. {mistake.hint}" in each.output for each in failed)
