"""The written answers of this course through the whole grader: the table, and known mistakes."""

import pytest

from autograder.results import Report, Verdict
from tests.selftest.support.grading import reference_text, report_on
from tests.selftest.support.written_file import lost, note_lines

pytestmark = [pytest.mark.content, pytest.mark.once]

QUESTION_ID = "written_answers"
RIGHT = reference_text(QUESTION_ID)
ROWS_LINE = next(f"{line}\n" for line in RIGHT.splitlines() if line.startswith("convention = "))


def graded(text: str) -> Report:
    """The report on one file."""
    return report_on({QUESTION_ID: text})


def test_a_wrong_row_of_a_table_is_named_and_costs_its_share() -> None:
    found = graded(RIGHT.replace("ROOT presented findings at the NLP | conference ", "ROOT the NLP | conference "))
    rows, arcs = (each for each in found.checks if each.functions == ("parser_transitions",))
    assert (rows.verdict, rows.score, arcs.score) == (Verdict.PARTIAL, 1.88, 3.0)
    assert "row 9: the stack is not what SHIFT makes of the row before" in rows.output


@pytest.mark.sampled(second=3)
@pytest.mark.parametrize(
    ("of_zero_gradient", "of_larger_updates"),
    {"a": "a", "b": "c", "d": "d", "cb": "bc", "c, b": "b, c", "abcd": "abcd", "a b c d": "a b c d"}.items(),
)
def test_any_wrong_letter_and_several_letters_of_a_choice_earn_nothing(
    of_zero_gradient: str, of_larger_updates: str
) -> None:
    text = RIGHT.replace('zero_gradient = "c"', f'zero_gradient = "{of_zero_gradient}"')
    text = text.replace('larger_updates = "b"', f'larger_updates = "{of_larger_updates}"')
    scores = {each.functions: each.score for each in graded(text).checks}
    assert scores["word2vec_zero_gradient",] == scores["adam_larger_updates",] == 0.0
    assert sum(score or 0.0 for score in scores.values()) > 0.0


COLUMNS = {"grad_center = ": "U @ (y_hat - y)", "grad_outside_all = ": "np.outer(v_c, y_hat - y)"}


def with_columns(convention: str) -> str:
    """Return the right answers with words as columns of U, and a line for the convention."""
    text = RIGHT
    for key, formula in COLUMNS.items():
        start = text.index(f"\n{key}") + 1
        text = text[:start] + f'{key}"{formula}"' + text[text.index("\n", start) :]
    return text.replace(ROWS_LINE, convention)


class TestConvention:
    """Words are rows of U; a file that says so may have columns."""

    def test_columns_are_right_if_the_file_says_so(self) -> None:
        assert lost(graded(with_columns('convention = "columns"\n'))) == set()

    @pytest.mark.parametrize("line", ["", 'convention = ""\n', 'convention = "rows"\n', 'convention = "colums"\n'])
    def test_without_it_they_are_a_known_mistake(self, line: str) -> None:
        found = graded(with_columns(line))
        assert lost(found) == {"word2vec_grad_center", "word2vec_grad_outside_all"}
        named = {each.diagnosis for each in found.checks if each.diagnosis}
        assert named == {("grad_center_columns",), ("grad_outside_all_columns",)}
        assert ("is 'colums'; write one of rows, columns" in note_lines(found)) == ("colums" in line)
        assert "no key" not in note_lines(found)

    def test_rows_are_wrong_in_a_file_that_says_columns(self) -> None:
        found = graded(RIGHT.replace(ROWS_LINE, 'convention = "columns"\n'))
        assert lost(found) == {"word2vec_grad_center", "word2vec_grad_outside_all"}
