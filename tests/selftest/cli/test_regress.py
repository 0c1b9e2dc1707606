"""The text of regress: long lists on the terminal say how much they leave out."""

from __future__ import annotations

import pytest

from autograder.cli.regress import _describe_change, _show_list
from autograder.regression.summary import Cause, Difference, Move
from tests.selftest.support.command_line import run_line
from tests.selftest.support.toy_assignment import PROJECT


@pytest.mark.parametrize(("count", "more"), [(10, []), (60, ["  and 50 more, which the report lists"])])
def test_a_long_list_says_how_many_more_there_are(capsys: pytest.CaptureFixture[str], count: int, more: list) -> None:
    _show_list([f"change {number}" for number in range(count)])
    assert capsys.readouterr().out.splitlines() == [*(f"  change {number}" for number in range(10)), *more]


@pytest.mark.parametrize(("count", "end"), [(0, "(only the total)"), (8, "1.7)"), (11, "1.7 and 3 more)")])
def test_a_change_names_its_first_checks(count: int, end: str) -> None:
    common = {"title": "", "before": 1.0, "after": 0.0, "verdict_before": "passed", "verdict_after": "failed"}
    moves = tuple(
        Move(test=f"1.{number}", **common, diagnosis_before=(), diagnosis_after=()) for number in range(count)
    )
    change = Difference(name="ada", cause=Cause.CODE, before=12.0, after=1.0, moves=moves)
    text = _describe_change(change)
    assert text.startswith("ada: 12.0 to 1.0 points (")
    assert text.endswith(end)


def test_a_change_of_checks_alone_says_that_the_total_is_the_same() -> None:
    change = Difference(name="ada", cause=Cause.GRADER, before=12.0, after=12.0, moves=())
    assert _describe_change(change) == "ada: still 12.0 points (only the total)"


@pytest.mark.parametrize(
    ("words", "found"), [("run_autograder reg", "plain,regress"), ("run_autograder grade --str", "plain,--strict")]
)
def test_a_shell_completes_commands_and_options(words: str, found: str) -> None:
    """CONTRIBUTING.md names the command that switches it on."""
    settings = {"COMP_WORDS": words, "COMP_CWORD": str(words.count(" ")), "_RUN_AUTOGRADER_COMPLETE": "bash_complete"}
    done = run_line(cwd=PROJECT, **settings)
    assert (done.stdout.splitlines(), done.stderr) == ([found], "")
