"""The course: its assignment.toml declares what the pages say."""

from __future__ import annotations

from autograder.regression.staff_files import hash_staff_files
from tests.selftest.support.grading import ASSIGNMENT


def test_the_course_declares_nine_questions_of_code_and_one_of_answers() -> None:
    assert {question.stem: question.points for question in ASSIGNMENT.questions}.items() >= {
        "word2vec": 30,
        "sgd": 6,
        "normalization": 4,
        "adam": 12,
        "dropout": 10,
        "parser_transitions": 24,
        "parser_network": 20,
        "output_layer": 10,
        "q1c_neural": 20,
        "written_answers": 20,
    }.items()
    assert [question.stem for question in ASSIGNMENT.questions if question.answers] == ["written_answers"]
    snake_case = ASSIGNMENT.questions[0].variants[1]
    assert snake_case.dropped_arguments == {"skipgram": (1,)}
    assert ASSIGNMENT.questions[2].borrowed_files == ASSIGNMENT.questions[0].files


def test_its_questions_stand_alone() -> None:
    assert hash_staff_files(ASSIGNMENT).groups == tuple((stem,) for stem in ASSIGNMENT.stems)
