"""Explanation: what staff read of one check, for every way in which it can end, and for hostile work."""

import os
import re
from pathlib import Path

import pytest

from autograder.explanation import Explanation, explain, write_explanation
from autograder.plain_text import clean
from autograder.results import Verdict
from autograder.submission import SubmissionError
from tests.selftest.cli.test_main import run
from tests.selftest.support.pasted_lines import read_lines
from tests.selftest.support.text_grading import shorten_loops
from tests.selftest.support.toy_assignment import TOY, reference_text
from tests.selftest.support.toy_at_home import TOY_AT_HOME

pytestmark = [pytest.mark.slow, pytest.mark.once]

NORMALIZE = "3.1"
WRONG_SQUASH = "\n\ndef squash(x):\n    return 1.0 / (2.0 + np.exp(-np.asarray(x, dtype=float)))\n"


def explain_text(folder: Path, file: str, text: str, check: str, *, root: Path = TOY) -> tuple[Explanation, str]:
    """Explain a check on one file of that text."""
    (folder / file).write_text(text)
    made = explain(root, folder / file, check)
    return made, write_explanation(made)


class TestEndings:
    @pytest.mark.ci
    def test_a_check_that_was_stopped(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        shorten_loops(monkeypatch)
        endless = "def unit_rows(x):\n    while True:\n        pass\n"
        _, text = explain_text(tmp_path, "rows.py", endless, NORMALIZE, root=TOY_AT_HOME)
        assert "alone: timed out" in text
        assert "ended:      timed out" in text
        assert "right:      array of shape " in text

    def test_an_error_shows_its_message_and_the_right_value(self, tmp_path: Path) -> None:
        raising = "def unit_rows(x):\n    raise RuntimeError(f'sum {x.sum():.3f}')\n"
        _, text = explain_text(tmp_path, "rows.py", raising, "3.2", root=TOY_AT_HOME)
        assert re.search(r"ended: +raised RuntimeError: sum -?\d+\.\d{3}\n", text)
        assert "at rows.py line 2, in unit_rows" in text
        assert "right:      array of shape " in text

    def test_functions_replaced_in_a_repeat(self, tmp_path: Path) -> None:
        text = reference_text("fitting") + WRONG_SQUASH
        made, account = explain_text(tmp_path, "fitting.py", text, "1.4")
        assert made.check.verdict is Verdict.PASSED
        assert "replaced:   it passes with the grader's squash" in account
        assert "On the student's functions alone: failed" in account
        assert "Repeated with the grader's squash in place of the student's: ran to its end" in account

    def test_a_case_is_the_program_with_both_replies(self, tmp_path: Path) -> None:
        wrong = "def unit_rows(x):\n    return 2 * x\n"
        made, text = explain_text(tmp_path, "rows.py", wrong, NORMALIZE, root=TOY_AT_HOME)
        lines = read_lines(made.check).splitlines()[:-1]  # without the right number
        assert "".join(f"    {line}\n" for line in lines) in text
        assert text.index("print(unit_rows(x))") < text.index("returned:") < text.index("right:")
        assert re.search(r"error:      \S+ at \[\d+, \d+\]: \S+ where \S+ is right", text)


class TestUse:
    def test_a_name_of_many_checks_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(SubmissionError, match=r"names \d+ checks; name one of 3\.1, "):
            explain_text(tmp_path, "rows.py", "", "rows.unit_rows")

    def test_the_command_prints_and_writes_no_file(self, tmp_path: Path) -> None:
        path = tmp_path / "rows.py"
        path.write_text(reference_text("rows"))
        done = run("explain", path.name, NORMALIZE, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert done.stdout == write_explanation(explain(TOY, path, NORMALIZE))
        assert os.listdir(tmp_path) == [path.name]

    def test_of_many_cases_some_wrong_ones_are_shown(self, tmp_path: Path) -> None:
        wrong = "_right = unit_rows\n\ndef unit_rows(x):\n    return _right(x) * (len(x) > 2)\n"
        _, text = explain_text(tmp_path, "rows.py", f"{reference_text('rows')}\n{wrong}", "3.2", root=TOY_AT_HOME)
        shown = re.search(r"(\d+) of (\d+) are shown; (\d+) have a wrong reply", text)
        assert shown is not None
        assert int(shown[1]) <= int(shown[3]) < int(shown[2])
        assert len(re.findall(r"^  program \d+, ", text, re.MULTILINE)) == int(shown[1])


STEERING = "\\x1b[2J\\x1b]0;title\\x07 \\u202e reversed \\r\\n\\x00\\ud800 \\x9b31m"
HOSTILE = f"""
import numpy as np
TEXT = "{STEERING}" * 2000
Named = type("{STEERING}"[:40], (), {{}})
Failing = type("{STEERING}"[:40], (Exception,), {{}})

def unit_rows(x):
    print(TEXT)
    BODY
"""
ENDINGS = {
    "text": "return TEXT",
    "nested": "return [TEXT, [TEXT, {TEXT: TEXT}], (TEXT,) * 500]",
    "object": "return Named()",
    "objects": "return [Named()] * 5",
    "error": "raise Failing(TEXT)",
    "large": "return np.ones((1000, 1000))",
    "number": "return [10 ** 5000, 1]",
    "infinite": "return np.full(x.shape, np.inf) * [-1, 1, np.nan][0]",
    "bytes": "return TEXT.encode('utf-8', 'replace')",
}


class TestHostile:
    @pytest.mark.sampled(second=1)
    @pytest.mark.parametrize("ending", ENDINGS)
    def test_nothing_steers_the_terminal_or_floods_it(self, tmp_path: Path, ending: str) -> None:
        made, text = explain_text(tmp_path, "rows.py", HOSTILE.replace("BODY", ENDINGS[ending]), NORMALIZE)
        assert made.check.verdict is Verdict.FAILED
        assert clean(text, len(text)) == text
        assert "\x1b" not in text
        assert len(text) < 20_000
        assert max(map(len, text.splitlines())) < 1_500

    def test_a_text_cannot_pretend_to_be_a_line_of_the_account(self, tmp_path: Path) -> None:
        forged = "def unit_rows(x):\n    raise ValueError('\\n  verdict:    passed, 4 of 4 points')\n"
        _, text = explain_text(tmp_path, "rows.py", forged, NORMALIZE)
        assert not re.search(r"^  verdict:    passed", text, re.MULTILINE)
        assert re.search(r"^  verdict:    failed", text, re.MULTILINE)
