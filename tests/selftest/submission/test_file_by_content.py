"""A file without an accepted name is taken for a question whose functions it defines, if no other may be meant."""

import pytest

from autograder.submission import file_tree, question_files, read_submission
from tests.selftest.submission.test_notebook import cell, notebook
from tests.selftest.submission.test_submission import ASSIGNMENT, DEF, graded, written

CLIMB = "def first_step(): pass\ndef second_step(): pass\ndef second_step_again(): pass\n"
WALK = "def walk(): pass\n"
SNAKE_CASE = "def plain_loss_and_slope(): pass\ndef few_loss_and_slope(): pass\ndef allWords(): pass\n"


def files_of(tmp_path, files):
    """The path and notes of each question that has a file."""
    questions = read_submission(written(tmp_path, files), ASSIGNMENT).questions
    return {each.question_id: (each.main.path, each.notes) for each in questions if each.main is not None}


@pytest.mark.parametrize("name", ["submission.py", "a2/submission.py", "submission.ipynb"])
def test_one_file_serves_every_question_whose_functions_it_defines(tmp_path, name):
    text = CLIMB + WALK
    files = {name: notebook(cell(text)) if name.endswith("ipynb") else text}
    found = files_of(tmp_path, files)
    assert {question_id: path for question_id, (path, _) in found.items()} == {"walk": name, "climb": name}


def test_one_function_is_enough_in_the_shared_file_and_a_file_of_the_question_comes_before_it(tmp_path):
    shared = files_of(tmp_path / "shared", {"submission.py": "def second_step(): pass\n"})
    assert list(shared) == ["climb"]
    found = files_of(tmp_path / "both", {"submission.py": CLIMB + WALK, "old/climb.py": CLIMB})
    assert (found["climb"][0], found["walk"][0]) == ("old/climb.py", "submission.py")


@pytest.mark.parametrize(
    ("name", "module"),
    [
        ("code/Anna_optimizers.py", "Anna_optimizers"),
        ("random.py", "climb"),
        ("a-1.py", "climb"),
        ("class.py", "class"),
    ],
)
def test_a_file_of_any_name_that_defines_most_functions_is_taken(tmp_path, name, module):
    question = graded(tmp_path, {name: CLIMB.partition("def second_step_a")[0], "notes.py": DEF}, "climb")
    assert (question.main.path, question.main.module) == (name, module)
    note = f"{name} was graded, because it defines 2 of the 3 functions; its name should be climb.py"
    assert question.notes[0] == note


@pytest.mark.parametrize("name", ["climb (1).ipynb", "hw2.ipynb", "old/climb_ann.ipynb"])
def test_a_notebook_of_any_name_is_taken_where_no_python_file_is(tmp_path, name):
    files = {name: notebook(cell("import numpy as np\n"), cell(CLIMB))}
    assert graded(tmp_path / "alone", files, "climb").main.path == name
    assert graded(tmp_path / "both", {**files, "a/mine.py": CLIMB}, "climb").main.path == "a/mine.py"


@pytest.mark.parametrize(
    ("older", "taken"),
    [("climb.py", "a/climb.py"), ("mine.py", "a/mine2.py"), ("mine.py", "mine.ipynb")],
    ids=["by name", "by content", "a notebook"],
)
def test_what_only_python_2_loads_is_taken_last(tmp_path, older, taken):
    newer = notebook(cell(CLIMB)) if taken.endswith("ipynb") else CLIMB
    question = graded(tmp_path / "both", {older: f"print 'x'\n{CLIMB}", taken: newer}, "climb")
    assert question.main.path == taken
    assert graded(tmp_path / "alone", {older: f"print 'x'\n{CLIMB}"}, "climb").main.path == older


def test_the_names_of_another_year_count_and_those_of_two_do_not_add_up(tmp_path):
    question = graded(tmp_path / "one", {"t2n.py": SNAKE_CASE})
    assert (question.main.path, question.variant.id) == ("t2n.py", "snake_case")
    assert "3 of the 5 functions" in question.notes[0]
    text = "def plainCostAndSlope(): pass\ndef plain_loss_and_slope(): pass\ndef allWords(): pass\n"
    assert graded(tmp_path / "two", {"t2n.py": text}).main is None


def test_where_two_files_may_be_meant_none_is_taken(tmp_path):
    question = graded(tmp_path, {"a.py": CLIMB, "b/c.py": CLIMB}, "climb")
    assert question.main is None
    assert question.notes[0] == "a.py, b/c.py define functions of this question: name one climb.py"


@pytest.mark.parametrize("name", ["utils/optim.py", "a2/utils/walk_utils.py", "utils.py", "q1_soften.py", "glove.py"])
def test_modules_of_starter_code_are_not_taken(tmp_path, name):
    assert graded(tmp_path, {name: WALK}, "walk").main is None


def test_only_so_many_files_and_bytes_are_searched(tmp_path, monkeypatch):
    files = {"a.py": "#" * 1000, "b.py": WALK}
    assert graded(tmp_path, files, "walk").main is not None
    monkeypatch.setattr(question_files, "_SCANNED", 1)
    assert graded(tmp_path, files, "walk").main is None
    monkeypatch.undo()
    monkeypatch.setattr(file_tree, "USED_BYTES", 500)
    assert graded(tmp_path, files, "walk").main is None
