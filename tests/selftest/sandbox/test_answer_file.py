"""An answer file becomes one function for each answer; each mistake in it is reported with advice."""

from typing import Any

import pytest

from autograder.sandbox.worker.answer_file import FILE_CHARACTERS, ROWS, AnswerProblem, build_functions, read_rows

SPECS = (
    ("algebra_square", "algebra.square", "formula", ("x",)),
    ("algebra_steps", "algebra.steps", "count", ("n",)),
    ("logic_which", "logic.which", "choice", ("a", "b")),
    ("logic_axes", "logic.axes", "setting", ("rows", "columns")),
    ("logic_moves", "logic.moves", "table", ("from", "move made")),
    ("logic_why", "logic.why", "text", ()),
)
GOOD = """
[algebra]
square = "x * x"
steps = 3
[logic]
which = " B. "
moves = "a | up"
why = '''
because \\alpha
'''
"""


def functions(text: str) -> dict[str, Any]:
    """Build the functions of a file."""
    return build_functions(text, SPECS, content="content", module="answers")


def problems(text: str) -> list[str]:
    """List the mistakes in a file."""
    found: list[str] = functions(text)["content"]()[1]
    return found


def test_answers_are_functions() -> None:
    made = functions("\ufeff" + GOOD.replace("\n", "\r\n"))
    assert made["algebra_square"](5) == 25
    assert made["algebra_steps"](5) == 3
    assert made["logic_which"]() == "b"
    assert made["logic_moves"]() == [{"from": "a", "move made": "up"}]
    assert made["logic_why"]() == "because \\alpha"
    assert made["content"]()[1] == []
    assert {function.__module__ for function in made.values()} == {"answers"}


@pytest.mark.parametrize("written", ["B", "(b)", "[b].", "'b'", "`b`"])
def test_a_choice_may_be_in_quotes_or_brackets(written: str) -> None:
    assert functions(GOOD.replace('" B. "', f'"{written}"'))["logic_which"]() == "b"


@pytest.mark.parametrize(
    ("line", "setting", "told"),
    [
        ("", "rows", []),
        ('axes = ""', "rows", []),
        ('axes = "Columns"', "columns", []),
        ('axes = "both"', "both", ["logic.axes is 'both'; write one of rows, columns"]),
    ],
)
def test_a_setting_is_the_first_of_its_choices_where_it_is_left_out(line: str, setting: str, told: list[str]) -> None:
    text = GOOD.replace("[logic]\n", f"[logic]\n{line}\n")
    assert functions(text)["logic_axes"]() == setting
    assert problems(text) == told


@pytest.mark.parametrize("empty", ['""', '"  "', "''''''", "[]"])
def test_an_empty_answer_is_not_written(empty: str) -> None:
    made = functions(GOOD.replace('"x * x"', empty))
    with pytest.raises(NotImplementedError):
        made["algebra_square"](5)
    assert made["content"]()[1] == []
    assert made["algebra_steps"](1) == 3


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"x * x"', "x * x", "line 3, column 10 (square = x * x): Invalid value; write every answer in quotes"),
        ('"x * x"', "\u201cx * x\u201d", "; write straight quotes, \" or ', in place of curly ones"),
        ('"x * x"', '"x', "; write a text of several lines between three quotes"),
        ("'''\nbecause \\alpha\n'''", '"because \\alpha"', "; write a text with backslashes between ''' and '''"),
        ("steps = 3", "steps 3", 'write: key = "answer"'),
        ("steps = 3", "square = 3", "write each key once"),
        ("\n'''\n", "\n", "; close the three quotes"),
        ("steps = 3", "steps = " + "[" * 5000, "is nested too deeply"),
        ("steps = 3", "steps = " + "9" * 5000, "a number too long to be read"),
        ("steps = 3", "#" * FILE_CHARACTERS, "is longer than 200000 characters; keep only the answers"),
    ],
    ids=lambda value: value[:20],
)
def test_a_file_that_cannot_be_read_says_where_and_what_to_do(old: str, new: str, told: str) -> None:
    text = GOOD.replace(old, new)
    assert len(problems(text)) == 1
    assert told in problems(text)[0]
    with pytest.raises(AnswerProblem):
        functions(text)["logic_which"]()


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("square", "sqare", "has the key algebra.sqare, which is not asked for; did you mean algebra.square?"),
        ("[algebra]\n", "", "has the key square, which is not asked for; did you mean algebra.square?"),
        ("steps = 3", "", "has no key algebra.steps; write it as in the file handed out"),
        (GOOD, "", "holds none of the keys that are asked for"),
        ('"x * x"', '"x^2"', "algebra.square holds the sign ^"),
        ('"x * x"', "true", "algebra.square is not a text; write the formula in quotes"),
        ('" B. "', '"c"', "logic.which is 'c'; write one of a, b"),
        ('"a | up"', '"a up"', "logic.moves has no | in the row 'a up'; write | between the columns"),
        ('"a | up"', "7", "logic.moves is not a table"),
    ],
    ids=lambda value: value[:20],
)
def test_a_key_or_an_answer_that_is_not_as_asked_for_is_named(old: str, new: str, told: str) -> None:
    assert [line for line in problems(GOOD.replace(old, new, 1)) if told in line]


def test_one_wrong_answer_disturbs_no_other() -> None:
    made = functions(GOOD.replace("x * x", "x ^ 2"))
    assert made["logic_which"]() == "b"
    assert len(made["content"]()[1]) == 1


COLUMNS = ("stack", "new dependency", "transition")
ROW = {"stack": "a b", "new dependency": "", "transition": "S"}


@pytest.mark.parametrize(
    "value",
    [
        "a b | | S",
        "| a b | | S |",
        "transition | stack | dependencies\nS | a b |",
        "| Step | Stack | New dependency | Transition |\n|---|:-:|---|---|\n| 1 | a b | | S |",
        [["a b", "", "S"]],
        [[["a", "b"], [], "S"]],
        [{"stack": ["a", "b"], "transition": "S", "new_dependency": ""}],
        [["transition", "stack", "new dependency"], ["S", "a b", ""]],
    ],
)
def test_a_table_is_read_in_any_of_its_forms(value: Any) -> None:
    assert read_rows(value, COLUMNS) == [ROW]


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("stack | transition | arcs\na | S | b", "names no column 'new dependency' in its first row"),
        ([3], "has a row that is neither a line nor a list of cells"),
        ("a | b | c\n" * (ROWS + 1), "has more than 200 rows"),
    ],
)
def test_what_is_no_table_is_told(value: Any, told: str) -> None:
    with pytest.raises(AnswerProblem, match=told):
        read_rows(value, COLUMNS)
