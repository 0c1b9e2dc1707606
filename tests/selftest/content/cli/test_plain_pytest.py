"""`pytest tests/hidden --submission=PATH` reports what `grade` says, in pytest's own way, and runs no student code."""

import json
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from autograder.grading.collection import collect_hidden_tests
from tests.selftest.golden.regenerate import golden_path
from tests.selftest.support.grading import ASSIGNMENT, PROJECT, reference_text
from tests.selftest.support.staff_project import copy_to

pytestmark = [pytest.mark.content, pytest.mark.once]

USAGE = "ERROR: name the submission to grade, a folder, a zip or one file: pytest tests/hidden --submission=PATH"
SOME = ("word2vec", "output_layer", "q1c_neural", "written_answers")  # with each kind of verdict in half_done
OK, FAILED, INTERRUPTED, OUR_FAULT, WRONG_USAGE = range(5)  # pytest's exit statuses
ALL = len(collect_hidden_tests(ASSIGNMENT, question_ids=ASSIGNMENT.question_ids))
PLANTS = {
    "conftest.py": "import pathlib; pathlib.Path(__file__).with_name('was_run').touch()\n",
    "pytest.ini": "[pytest]\naddopts = --no-such-option\n",
}


def run(status: int, *arguments: str, project: Path = PROJECT) -> subprocess.CompletedProcess[str]:
    """Run pytest as a person would, in the project's folder; it has to end with this status."""
    command = [sys.executable, "-m", "pytest", *arguments]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stdout[-2000:] + done.stderr
    return done


def ends(report: Path) -> dict[str, tuple[str, str]]:
    """How each test ended, and the text that pytest showed, by its number."""
    found = {}
    for case in ET.parse(report).getroot().iter("testcase"):
        properties = {each.get("name"): str(each.get("value")) for each in case.iter("property")}
        shown = [(each.tag, each.text or "") for each in case if each.tag in ("failure", "error")]
        found[properties["number"]] = (*shown, ("passed", ""))[0]
    return found


@pytest.mark.ci
def test_the_verdicts_and_texts_are_those_of_grade(tmp_path: Path) -> None:
    checks = {
        test["number"]: test
        for test in json.loads(golden_path("half_done").read_bytes())["tests"]
        if test["extra_data"]["question"] in SOME and test["extra_data"]["verdict"] is not None
    }
    report = tmp_path / "report.xml"
    files = [f"tests/hidden/test_{question_id}.py" for question_id in SOME]
    run(FAILED, *files, "--submission", "examples/half_done", f"--junitxml={report}", "-q")
    found = ends(report)
    assert found.keys() == checks.keys()
    for number, test in checks.items():
        is_passed = test["extra_data"]["verdict"] == "passed" or "advice" in test["extra_data"]
        word, text = found[number]
        assert word == ("passed" if is_passed else "failure"), number
        assert is_passed or test["output"] in text, number
        assert is_passed or f"{test['score']:g} of {test['max_score']:g} points" in text, number


def test_without_a_submission_one_line_says_what_to_pass() -> None:
    done = run(WRONG_USAGE, "tests/hidden")
    assert (done.stdout, done.stderr.strip()) == ("", USAGE)


@pytest.mark.ci
@pytest.mark.parametrize(
    ("arguments", "counted"),
    [
        (("tests/hidden", "--number", "2.3,2.2", "--number=3.1"), f"3 passed, {ALL - 3} deselected"),
        (("tests/hidden/test_sgd.py::test_sgd_everywhere",), "1 passed"),
    ],
)
def test_pytest_selects(arguments: tuple[str, ...], counted: str) -> None:
    done = run(OK, *arguments, "--submission=examples/right", "-q")
    assert done.stdout.splitlines()[-1].startswith(f"{counted} in ")


TESTS = "tests/hidden/test_normalization.py"


@pytest.mark.sampled(second=1)
@pytest.mark.parametrize(
    ("planted", "line", "status"),
    [
        (["conftest.py"], "TESTS --submission FOLDER", WRONG_USAGE),
        (["conftest.py"], "TESTS --submission=FOLDER", OK),
        (["conftest.py", "pytest.ini"], "--submission=FOLDER TESTS", OK),
    ],
)
def test_nothing_of_a_submission_is_run_by_pytest(tmp_path: Path, planted: list[str], line: str, status: int) -> None:
    (tmp_path / "normalization.py").write_text(reference_text("normalization"))
    for name in planted:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(PLANTS[Path(name).name])
    done = run(status, *line.replace("TESTS", TESTS).replace("FOLDER", str(tmp_path)).split())
    refused = "which pytest would run outside of the sandbox; write it in one word" in done.stderr
    assert refused is (status == WRONG_USAGE)
    assert not list(tmp_path.rglob("was_run"))


BY_HAND = """

from gradescope_utils.autograder_utils.decorators import number, tags, visibility, weight


@weight(0)
@number("2.9")
@visibility("visible")
@tags("sgd", "advice")
def test_by_hand(student) -> None:
    '''sgd: by hand'''
    {step}
"""


def add_test(project: Path, step: str) -> Path:
    """Add a test that is written by hand and takes this step."""
    with (project / "tests" / "hidden" / "test_sgd.py").open("a", encoding="utf-8") as file:
        file.write(BY_HAND.format(step=step))
    return project


class TestStaffErrors:
    TEST = "tests/hidden/test_sgd.py"

    @pytest.fixture
    def project(self, tmp_path: Path) -> Path:
        """A copy of the project."""
        project = copy_to(tmp_path / "project", PROJECT)
        shutil.copy(PROJECT / "pyproject.toml", project)
        return project

    def grade(self, status: int, project: Path, tests: str = TEST) -> str:
        return run(status, tests, f"--submission={PROJECT / 'examples' / 'right'}", project=project).stdout

    @pytest.mark.ci
    def test_a_fault_of_a_test_is_an_error_and_no_failure(self, project: Path) -> None:
        shown = self.grade(FAILED, add_test(project, "1 / 0"))
        assert "3 passed, 1 error" in shown
        assert "undecided, no score" in shown
        assert "ZeroDivisionError" in shown
