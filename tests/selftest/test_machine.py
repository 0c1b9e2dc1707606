"""Machine paths: no result shows a folder of the machine that graded, whatever way a path takes into a text."""

import os
import sys
from pathlib import Path

import pytest

from autograder.gradescope import results_json
from autograder.gradescope.results_json import GradedTest, Results, build_results, write_results
from autograder.grading import explain
from autograder.machine import hide_paths
from autograder.results import LeaderboardEntry
from autograder.sandbox.limits import MESSAGE_CHARACTERS
from tests.selftest.support.grader_process import build_command, read_results, run
from tests.selftest.support.toy_assignment import PROJECT, report_on

pytestmark = [pytest.mark.slow, pytest.mark.once]

PACKAGES = next(path for path in sys.path if path.endswith("site-packages"))
GIVEN = (PACKAGES, sys.prefix, os.path.dirname(os.__file__), str(PROJECT))
FOLDERS = sorted({form for path in GIVEN for form in (path, os.path.realpath(path))})

STATEMENTS = {
    "a name that a package lacks": "exec('try: from numpy import no\\nexcept ImportError as e: raise ValueError(e)')",
    "a name that a module lacks": "from os import nothing",
    "an error with a path": "open(np.__file__ + '.missing')",
    "an error of its own": "raise RuntimeError(f'{np} {np.__path__} {sys.path} {sys.prefix} {sys.executable}')",
    "its folder at home": "raise RuntimeError(os.path.expanduser('~/secret'))",
}
PRINTS = {
    "files of modules": "print(__file__, np.__file__, os.__file__, sys.executable, sys.prefix)",
    "modules": "print(np, os, sys.modules)",
    "a traceback": "traceback.print_stack(file=sys.stdout)",
    "a warning": "np.log(np.zeros(1)); warnings.warn('careful'); np.matrix([1.0])",
    "settings": "print(sys.path, sys.argv, dict(os.environ), os.getcwd(), os.path.expanduser('~'))",
    "pieces of bytes": "print(os.fsencode(np.__file__), [np.__file__], {np.__file__: 1})",
}
IMPORTS = "import os, sys, traceback, warnings\nimport numpy as np\n"


def grade_function(body: str) -> str:
    """Return the content of results.json for a function of one line."""
    return grade_file(f"def unit_rows(x):\n    {body}\n")


def grade_file(text: str) -> str:
    """Return the content of results.json for a file, below its imports."""
    return build_results(report_on({"rows": IMPORTS + text})).as_bytes().decode()


def find_folders(text: str) -> list[str]:
    """Return the folders of this machine that a text shows."""
    return [folder for folder in FOLDERS if folder in text]


@pytest.mark.sampled(second=3)
@pytest.mark.parametrize("statement", STATEMENTS.values(), ids=STATEMENTS)
class TestErrors:
    def test_of_a_call_or_of_a_file_show_no_folder(self, statement: str) -> None:
        content = grade_function(statement)
        assert find_folders(content) == []
        assert "found:" in content
        assert ("'no' from 'numpy' (<packages>/numpy/__init__.py)" in content) == ("from numpy" in statement)
        assert find_folders(grade_file(f"{statement}\ndef unit_rows(x):\n    return x\n")) == []

    def test_are_where_folders_come_from(self, statement: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(explain, "hide_paths", lambda text: text)
        monkeypatch.setattr(results_json, "hide_all_paths", lambda value: value)
        assert find_folders(grade_function(statement)) != [] or "expanduser" in statement


@pytest.mark.sampled(second=2)
@pytest.mark.parametrize("statement", PRINTS.values(), ids=PRINTS)
def test_prints_show_no_folder(statement: str) -> None:
    content = grade_function(statement)
    assert find_folders(content) == []
    assert "Printed by your code" in content


@pytest.mark.sampled(second=2)
@pytest.mark.parametrize("length", range(3, 12))
def test_an_error_that_was_cut_shows_no_part_of_a_folder(length: int) -> None:
    text = grade_function(f"raise RuntimeError('x' * ({MESSAGE_CHARACTERS} - {length}) + np.__file__)")
    assert f"x{PACKAGES[:3]}" not in text
    assert "xxx..." in text


@pytest.mark.ci
def test_an_unreadable_submission_is_not_named_by_its_path(tmp_path: Path) -> None:
    submission = tmp_path / "students" / "of the course.rar"
    done = run(build_command(submission, tmp_path / "results"))
    output = read_results(tmp_path / "results")["output"]
    assert str(submission) in done.stderr
    assert "the submission: does not exist" in output
    assert str(tmp_path) not in output


def test_every_text_of_a_result_is_cleared(tmp_path: Path) -> None:
    text = f"{PACKAGES}/numpy/__init__.py"
    made = Results(
        output=text,
        extra_data={"fault": text, "list": [text, 1, {"inner": text}]},
        tests=(GradedTest(name=text, output=text, tags=(text,), extra_data={"fault": text}),),
        leaderboard=(LeaderboardEntry(name="column", value=text),),
    )
    write_results(tmp_path / "results.json", made)
    content = (tmp_path / "results.json").read_text()
    assert find_folders(content) == []
    assert content.count("<packages>/numpy/__init__.py") == 9


@pytest.mark.parametrize(
    ("text", "shown"),
    {
        f"{PROJECT}": "<project>",
        f"({PROJECT}/tests/a.py)": "(<project>/tests/a.py)",
        f"'{PROJECT}', \"{PROJECT}\"": "'<project>', \"<project>\"",
        f"{os.path.dirname(os.__file__)}/os.py": "<python>/os.py",
        "/tmp/a.npy and my/tmp/a.npy": "<tmp>/a.npy and my/tmp/a.npy",
        "/home/ada/data.txt": "/home/ada/data.txt",
        "a / b, //, /": "a / b, //, /",
    }.items(),
)
def test_a_known_folder_at_the_start_of_a_path_is_replaced(text: str, shown: str) -> None:
    assert hide_paths(text) == shown
