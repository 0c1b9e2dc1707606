"""The text of regress: long lists on the terminal say how much they leave out."""

import pytest

from autograder.cli.regress import _show_list
from tests.selftest.support.command_line import run_line
from tests.selftest.support.toy_assignment import PROJECT


@pytest.mark.parametrize(("count", "more"), [(10, []), (60, ["  and 50 more, which the report lists"])])
def test_a_long_list_says_how_many_more_there_are(capsys: pytest.CaptureFixture[str], count: int, more: list) -> None:
    _show_list([f"change {number}" for number in range(count)])
    assert capsys.readouterr().out.splitlines() == [*(f"  change {number}" for number in range(10)), *more]


@pytest.mark.parametrize(
    ("words", "found"), [("run_autograder reg", "plain,regress"), ("run_autograder grade --str", "plain,--strict")]
)
def test_a_shell_completes_commands_and_options(words: str, found: str) -> None:
    """CONTRIBUTING.md names the command that switches it on."""
    settings = {"COMP_WORDS": words, "COMP_CWORD": str(words.count(" ")), "_RUN_AUTOGRADER_COMPLETE": "bash_complete"}
    done = run_line(cwd=PROJECT, **settings)
    assert (done.stdout.splitlines(), done.stderr) == ([found], "")
