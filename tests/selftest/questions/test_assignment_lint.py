"""Lint of an assignment: each problem that can be planted is named, and what is in order has none."""

from pathlib import Path

import pytest

from autograder.assignment import DECLARATION
from tests.selftest.support.command_line import run_line

pytestmark = [pytest.mark.slow, pytest.mark.once]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A new assignment."""
    run_line("new", "assignment", "hw", cwd=tmp_path).check_returncode()
    return tmp_path / "hw"


def lint(root: Path) -> tuple[int, str]:
    """Return the exit status and the output of the command."""
    done = run_line("lint", root, cwd=root)
    assert done.stderr == ""
    return done.returncode, done.stdout


def change(root: Path, path: str, old: str, new: str) -> None:
    """Replace a text in a file."""
    text = (root / path).read_text(encoding="utf-8")
    assert old in text
    (root / path).write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.ci
def test_a_new_assignment_has_no_problem(root: Path) -> None:
    assert lint(root) == (0, f"{root}: no problems\n")


@pytest.mark.sampled(second=1)
@pytest.mark.parametrize(
    ("path", "old", "new", "told"),
    [
        (DECLARATION, "points = 5", "point = 5", "the key `points` is missing"),
        (DECLARATION, "points = 5", "points = 6", "the tests give 5 points, assignment.toml says 6"),
        ("reference/regression.py", "def logistic_loss", "def loss", "regression.py: does not define logistic_loss"),
        ("student_template/running_mean.py", "class RunningMean", "class Mean", "does not define RunningMean, which"),
        ("tests/mistakes/regression.py", 'story="Leaves', 'severity="slip", story="Leaves', "delete `severity`; a"),
        ("tests/mistakes/running_mean.py", ' "RunningMean.add",', ' "RunningMean.ad",', "which is no function of"),
        ("tests/mistakes/running_mean.py", "= 1, 0.0", "= 0, 0.00", "no mistake is caught by test_new"),
        ("tests/mistakes/running_mean.py", "= 1, 0.0", "= 0, 0.00", "starts_at_one is caught by no check"),
        ("tests/mistakes/written_answers.py", "from tests", "from test", "cannot be imported: ModuleNotFoundError"),
        ("tests/hidden/test_running_mean.py", "count, 0)", "count, 1)", "the right solution fails 2.1"),
        (
            "student_template/running_mean.py",
            '        raise NotImplementedError("RunningMean is not written yet")',
            "        self.count = 0",
            "2.1 RunningMean: a new one has seen no number: 1 point for what students receive",
        ),
    ],
)
def test_a_planted_problem_is_named(root: Path, path: str, old: str, new: str, told: str) -> None:
    change(root, path, old, new)
    status, shown = lint(root)
    assert status == 1
    assert told in shown


@pytest.mark.ci
def test_what_a_removed_question_left_is_named(root: Path) -> None:
    declaration = root / "reference" / "assignment.toml"
    first, *others = declaration.read_text(encoding="utf-8").split("[[questions]]\n")
    kept = [each for each in others if 'id = "regression"' not in each]
    declaration.write_text("[[questions]]\n".join([first, *kept]), encoding="utf-8")
    (root / "student_template" / "regression.py").unlink()
    status, shown = lint(root)
    assert status == 1
    assert "tests/hidden/test_regression.py: belongs to no question of assignment.toml" in shown
    assert "student_template/tasks/regression.md: belongs to no question of assignment.toml; delete it" in shown


@pytest.mark.ci
def test_a_question_without_mistakes_is_a_warning(root: Path) -> None:
    (root / "tests" / "mistakes" / "regression.py").write_text('"""None yet."""\n', encoding="utf-8")
    status, shown = lint(root)
    assert status == 0
    assert "warning: tests/mistakes/regression.py: has no mistakes" in shown
    assert "no problems" in shown
