"""The lines at the end of a failed visible test, put into a file beside the student's, show the wrong answer."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.results import CheckResult
from autograder.submission import read_submission
from tests.selftest.support.grading import ASSIGNMENT, PROJECT, grade_once
from tests.selftest.support.pasted_lines import read_lines

pytestmark = [pytest.mark.content, pytest.mark.once, pytest.mark.ci]

EXAMPLE = PROJECT / "examples" / "right"
RIGHT = PROJECT / "tests" / "selftest" / "right"
WRONG = {
    "doubles": "\n_right = {name}\ndef {name}(*arguments):\n    return 2 * np.asarray(_right(*arguments))\n",
    "doubles the second": """
_right = {name}
def {name}(*arguments):
    first, second, *others = _right(*arguments)
    return first, 2 * second, *others
""",
    "turns": """
_right = PartialParse.{name}
def {name}(self, transition):
    _right(self, transition)
    self.dependencies = [pair[::-1] for pair in self.dependencies]
PartialParse.{name} = {name}
""",
    "shuffles": "\n_right = {name}\ndef {name}(*arguments):\n    return _right(*arguments)[::-1]\n",
    "raises": "\ndef {name}(*arguments):\n    raise ValueError('not like this')\n",
}
# A folder of `right/` or the example, its file, the function there, what is wrong, and the number of a visible test.
CASES = [
    ("homework", "q1c_neural.py", "forward", "doubles", "9.3"),
    ("course_2017", "q3_sgd.py", "sgd", "doubles", "2.2"),
    ("course_snake_case", "word2vec.py", "neg_sampling_loss_and_gradient", "doubles the second", "1.6"),
    ("example", "adam.py", "adam_step", "doubles the second", "4.3"),
    ("example", "dropout.py", "dropout_forward", "raises", "5.3"),
    ("example", "parser_transitions.py", "parse_step", "turns", "6.3"),
    ("example", "parser_transitions.py", "minibatch_parse", "shuffles", "6.7"),
]


def failed_test(folder: Path, number: str) -> CheckResult:
    """The result of one test of the submission in a folder."""
    stem = ASSIGNMENT.questions[int(number.partition(".")[0]) - 1].stem
    report = grade_once(read_submission(folder, ASSIGNMENT, only=[stem]))
    return next(check for check in report.checks if check.number == number)


def add_course_modules(folder: Path) -> None:
    """Put what starter code imports beside the student's files."""
    for module, (text, is_package) in ASSIGNMENT.starter_modules.items():
        path = folder.joinpath(*module.split("."), *["__init__"] * is_package).with_suffix(".py")
        path.parent.mkdir(exist_ok=True)
        if not path.exists():
            path.write_text(text, encoding="utf-8")


def shown_by(text: str, folder: Path) -> str:
    """What Python prints for the lines in a file of that folder, errors too."""
    (folder / "try_it.py").write_text(text, encoding="utf-8")
    command = [sys.executable, "-c", "import numpy; numpy.set_printoptions(precision=12); import try_it"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    return done.stdout + done.stderr


def numbers_in(text: str) -> list[float]:
    """The decimal numbers of a text."""
    return [float(number) for number in re.findall(r"-?\d+\.\d*(?:e[-+]\d+)?", text)]


@pytest.mark.usefixtures("no_names")
@pytest.mark.parametrize(
    ("style", "file", "name", "wrong", "number"),
    [pytest.param(*each, id=f"{each[1]}-{each[2]}") for each in CASES],
)
def test_pasted_beside_the_file_it_shows_the_failure(
    style: str, file: str, name: str, wrong: str, number: str, tmp_path: Path
) -> None:
    folder = EXAMPLE if style == "example" else RIGHT / style
    for path in folder.glob("*.py"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    with (tmp_path / file).open("a", encoding="utf-8") as source:
        source.write("\nimport numpy as np\n" + WRONG[wrong].format(name=name))
    check = failed_test(tmp_path, number)
    assert check.score < check.points  # what is right in other parts keeps a share
    lines = read_lines(check)
    assert len(lines.splitlines()) <= 40
    add_course_modules(tmp_path)
    shown = shown_by(lines, tmp_path)
    found = re.findall(r"^  found.*?: +(.*)$", check.output, re.MULTILINE)[-1]
    if wrong == "raises":
        assert "ValueError: not like this" in shown
    elif numbers_in(found):
        assert any(abs(each - numbers_in(found)[0]) <= 1e-6 * abs(each) for each in numbers_in(shown))
    else:
        assert re.findall(r"\('.*?'\)", found)[0] in shown
