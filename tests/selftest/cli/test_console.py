"""The report on the terminal: words carry every verdict, and student text is never markup."""

from typing import Any

import pytest
from rich.console import Console

from autograder.cli import console
from autograder.grading.explain import REPRODUCER
from autograder.results import Report, Verdict, Visibility
from tests.selftest.support.reports import check, failed, question, report, undecided


def shown(graded: Report, *, width: int = 80, **options: Any) -> str:
    """Render the report for a terminal of this width."""
    return console.render(graded, Console(width=width, **options))


LONG = """\
FAIL add(1, 2)
  expected: the right number (within 3e-05), and so many words that they need
  found:    4"""


def test_advice_is_told_and_not_counted() -> None:
    advice = failed("ADVICE, without points: add(1, 2)", number="1.2", points=0.0, is_advice=True)
    text = shown(report(check(), advice))
    assert "Total                    1 of 1  2 of 2" in text
    assert "    ADVICE, without points: add(1, 2)\n" in text
    assert "0 of 0 points" not in text
    assert "2 of 2 points, 1 of 1 check passed" in text


WHOLE = """\
Question  File           Passed   Points
Algebra   hw/algebra.py  2 of 6  4 of 12
Total                    2 of 6  4 of 12

add in hw/algebra.py is wrong.

Algebra

  1.2 add: negative numbers (hidden until the due date)
    failed, 0 of 2 points
    FAIL add(1, 2)
      expected: the right number (within 3e-05), and so many words that they
      need
      found:    4

  1.3 to 1.5 (3 checks): add
    not written yet, 0 of 6 points
    nobody came

  1.6 add: two numbers
    passed, 2 of 2 points
    Full credit: this passes with the grader's zero in place of yours.

Notes on the files
  a note on the whole
  Algebra: algebra.py was graded; old/algebra.py was not

Layers of the sandbox (read back) that were not active: moat (no water)

4 of 12 points, 2 of 6 checks passed, 9.9 s
"""


def test_a_whole_report_at_80_columns() -> None:
    graded = report(
        check(),
        failed(LONG, number="1.2", title="add: negative numbers", visibility=Visibility.AFTER_DUE_DATE),
        *(failed("Not written yet: nobody came", number=f"1.{n}", verdict=Verdict.NOT_WRITTEN) for n in (3, 4, 5)),
        check(number="1.6", output="Passed.\nFull credit: this passes with the grader's zero in place of yours."),
        questions=(question(notes=("algebra.py was graded; old/algebra.py was not",)),),
        notes=("a note on the whole",),
    )
    assert shown(graded) == WHOLE


@pytest.mark.parametrize("width", [20, 40, 80, 200])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    text = shown(report(failed("  found: " + "wort " * 60), failed("x" * 300, number="1.2")), width=width)
    assert max(map(len, text.splitlines())) <= width + 12  # deep indentation leaves at least 20 columns of text


def test_a_line_to_paste_is_never_broken() -> None:
    line = f"print(double({', '.join(map(str, range(40)))}))"
    assert line in shown(report(failed(f"{REPRODUCER}\n{line}"))).splitlines()


@pytest.mark.parametrize("text", ["[bold red]PASSED[/] :boom: [link=x]y[/link]", "[/", "\\[x]", "{'a': [1]}"])
def test_student_text_is_shown_literally(text: str) -> None:
    graded = report(failed(text), questions=(question(file=text, title=text, notes=(text,)),), notes=(text,))
    assert shown(graded, width=200).count(text) == 8


def test_checks_without_a_score_are_counted_and_their_fault_is_shown() -> None:
    text = shown(report(check(), undecided(number="1.2")))
    assert "    NameError: the grader's own mistake" in text
    assert "1 of 2 checks has no score: the grader failed there" in text
