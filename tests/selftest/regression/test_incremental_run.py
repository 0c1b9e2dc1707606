"""A run that reuses questions: the same results as a run that grades all, byte for byte, and what is graded again."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from autograder.regression.summary import Summary
from tests.selftest.regression import test_class_run
from tests.selftest.regression.test_class_run import command, read_results
from tests.selftest.support import made_class
from tests.selftest.support.staff_project import copy_to
from tests.selftest.support.toy_assignment import EXAMPLES, reference_text

pytestmark = [pytest.mark.slow, pytest.mark.once]

ONLY = ("descent", "rows", "quiz")
Edit = tuple[str, str, str]  # of a file: its path, a pattern and its replacement
TITLE: Edit = ("tests/hidden/test_rows.py", r'"""unit_rows: four rows of three numbers"""', '"""Rows"""')
POINTS: list[Edit] = [
    ("reference/assignment.toml", r'(title = "Rows of length 1"\npoints) = 4', r"\1 = 5"),
    ("tests/hidden/test_rows.py", r"@weight\(1\)", "@weight(2)"),
    ("reference/assignment.toml", r"points_by_hand = 2$", "points_by_hand = 3"),
]


run = partial(test_class_run.run, only=ONLY)  # over three cheap questions, one of them with written answers


def read_reused(out: Path) -> dict[str, set[str]]:
    """Return the reused questions of each submission."""
    results = {path.stem: json.loads(path.read_text()) for path in (out / "results").iterdir()}
    return {name: set(fields["extra_data"]["regression"]["reused"]) for name, fields in results.items()}


def copy_project(folder: Path, *edits: Edit) -> Path:
    """Copy the grader and the toy, with edits of their files."""
    copy_to(folder)
    for path, pattern, text in edits:
        edited, count = re.subn(pattern, text, (folder / path).read_text(), flags=re.MULTILINE)
        assert count, pattern
        (folder / path).write_text(edited)
    return folder


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class of planted kinds, of uploads with notes of every kind, and of two with one file but other helpers."""
    folder = tmp_path_factory.mktemp("class") / "class"
    made_class.make_export(folder, 3, stems=["descent", "rows"], seed=4)
    (folder / made_class.METADATA).unlink()
    for source, name in (("half_done",) * 2, ("wrong",) * 2, ("right", "twin_one"), ("right", "twin_two")):
        shutil.copytree(EXAMPLES / source, folder / name)
    norms = "import numpy as np\ndef norms(x):\n    return np.linalg.norm(x, axis={}, keepdims=True)\n"
    texts = {
        **dict.fromkeys(
            ["helped/rows.py", "misled/rows.py"],
            "from norms import norms\ndef unit_rows(x):\n    return x / norms(x)\n",
        ),
        "helped/norms.py": norms.format(1),
        "misled/norms.py": norms.format(0),
        "fails_at_start/descent.py": f"print('loaded')\nopen('data.txt')\n{reference_text('descent')}",
        "fails_at_start/quiz.toml": "fitting = [nonsense\n",
        "nothing/notes.txt": "nothing",
    }
    for name, text in texts.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    (folder / "unreadable.zip").write_bytes(b"no zip")
    return folder


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the grader; in a folder like those of its changed copies, the sandbox has the same layers."""
    return copy_project(tmp_path_factory.mktemp("project") / "project")


@pytest.fixture(scope="module")
def first(made: Path, project: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first run over the class, whose questions later runs may reuse."""
    out = tmp_path_factory.mktemp("first") / "out"
    assert run(made, out, root=project).timing.reused == 0
    return out


def compare_with_full_run(
    path: Path, first: Path, tmp_path: Path, **options: Any
) -> tuple[Summary, dict[str, set[str]]]:
    """Run with the first run as the baseline, and in full; require the same bytes, and return what was reused."""
    summary = run(path, tmp_path / "reused", baseline=first, **options)
    full = run(path, tmp_path / "full", baseline=first, reuses=False, **options)
    assert read_results(tmp_path / "reused") == read_results(tmp_path / "full")
    assert replace(summary, timing=None) == replace(full, timing=None)
    assert full.timing.reused == 0
    assert summary.disagreements == ()
    return summary, read_reused(tmp_path / "reused")


class TestSameBytes:
    @pytest.mark.ci
    def test_after_no_change(self, made: Path, project: Path, first: Path, tmp_path: Path) -> None:
        summary = run(made, tmp_path / "reused", baseline=first, root=project)
        reused = read_reused(tmp_path / "reused")
        assert read_results(tmp_path / "reused") == read_results(first)
        assert not summary.is_different
        assert {name: stems for name, stems in reused.items() if stems != set(ONLY)} == {"unreadable.zip": set()}
        assert summary.timing.reused == summary.timing.questions == len(ONLY) * (len(reused) - 1)
        assert summary.timing.rechecked == 1

    @pytest.mark.parametrize(
        ("edits", "only", "expected"),
        [
            pytest.param([TITLE], ONLY, {"descent", "quiz"}, marks=pytest.mark.ci),
            pytest.param(POINTS, ONLY, {"descent"}, marks=pytest.mark.ci),
            pytest.param([], ("descent", "noise"), {"descent"}, marks=pytest.mark.ci),
        ],
        ids=["a change of one question's hidden tests", "a change of points", "other questions"],
    )
    def test_after(
        self, made: Path, first: Path, tmp_path: Path, edits: list[Edit], only: tuple[str, ...], expected: set[str]
    ) -> None:
        changed = copy_project(tmp_path / "project", *edits)
        _, reused = compare_with_full_run(made, first, tmp_path, root=changed, only=only)
        assert reused == {name: set() if name == "unreadable.zip" else expected for name in reused}
        results = read_results(tmp_path / "reused")
        assert ("'Rows'" in str(results["twin_one.json"])) is (TITLE in edits)

    @pytest.mark.ci
    def test_after_a_change_of_one_file_of_one_student(
        self, made: Path, project: Path, first: Path, tmp_path: Path
    ) -> None:
        changed = tmp_path / "class"
        shutil.copytree(made, changed)
        shutil.copy(changed / "misled" / "norms.py", changed / "helped" / "norms.py")
        (changed / "twin_two" / "descent.py").write_text("raise SystemExit\n")
        _, reused = compare_with_full_run(changed, first, tmp_path, root=project)
        graded = {name: set(ONLY) - stems for name, stems in reused.items() if name != "unreadable.zip"}
        assert {name: stems for name, stems in graded.items() if stems} == {"twin_two": {"descent"}}
        results = read_results(tmp_path / "reused")
        assert results["helped.json"]["score"] == results["misled.json"]["score"]

    @pytest.mark.ci
    def test_with_an_endless_file(self, project: Path, tmp_path: Path) -> None:
        folder = tmp_path / "class" / "ann"
        folder.mkdir(parents=True)
        (folder / "rows.py").write_text("while True:\n    pass\n" + reference_text("rows"))
        (folder / "descent.py").write_text(reference_text("descent"))
        run(tmp_path / "class", tmp_path / "first", root=project)
        (folder / "descent.py").write_text("x = 1\n" + reference_text("descent"))
        _, reused = compare_with_full_run(tmp_path / "class", tmp_path / "first", tmp_path, root=project)
        assert reused == {"ann": {"rows", "quiz"}}


@pytest.mark.ci
def test_a_change_of_the_graders_code_has_everything_graded(
    made: Path, first: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit = ("autograder/grading/explain.py", r"Printed by your code:", "Printed:")
    changed = copy_project(tmp_path / "project", edit)
    monkeypatch.setattr("autograder.grading.identity.ENGINE", changed)
    assert run(made, tmp_path / "out", only=("descent",), baseline=first).timing.reused == 0


@pytest.mark.ci
@pytest.mark.parametrize("options", [{"deadline_s": 479.0}, {"repeat": 2}], ids=["another deadline", "repetitions"])
def test_another_kind_of_run_reuses_nothing(
    made: Path, project: Path, first: Path, tmp_path: Path, options: dict[str, Any]
) -> None:
    timing = run(made, tmp_path / "out", baseline=first, only=("descent",), root=project, **options).timing
    assert (timing.reused, timing.kept, timing.rechecked) == (0, 0, 0)


@pytest.mark.ci
def test_a_run_that_refuses_to_reuse_keeps_no_result_of_an_earlier_start(
    made: Path, project: Path, first: Path, tmp_path: Path
) -> None:
    shutil.copytree(first, tmp_path / "out")
    timing = run(made, tmp_path / "out", reuses=False, root=project).timing
    assert (timing.reused, timing.kept, timing.rechecked) == (0, 0, 0)
    assert read_results(tmp_path / "out") == read_results(first)


def forge(out: Path, old: str, new: str) -> int:
    """Replace a text in the stored questions of a run, as somebody with the grader's rights could; return how many."""
    paths = [path for path in (out / "questions").iterdir() if old in path.read_text()]
    for path in paths:
        path.write_text(path.read_text().replace(old, new))
    return len(paths)


class TestCommand:
    @pytest.fixture
    def kept(self, first: Path, tmp_path: Path) -> Path:
        """A copy of the first run."""
        shutil.copytree(first, tmp_path / "kept")
        return tmp_path / "kept"

    @pytest.mark.ci
    def test_says_how_much_was_reused(self, made: Path, project: Path, kept: Path, tmp_path: Path) -> None:
        done = command(made, "--out", tmp_path / "out", "--baseline", kept, project=project)
        told = re.search(
            r"Reused from an earlier run: (\d+) of (\d+) questions; graded again, to check what was reused: 1\.",
            done.stdout,
        )
        assert done.returncode == 0, done
        assert told is not None
        assert told[1] == told[2]
        assert told[0] in (tmp_path / "out" / "report.html").read_text()
        full = command(made, "--out", tmp_path / "out", "--no-reuse", project=project)
        assert "No question was reused." in full.stdout

    @pytest.mark.ci
    def test_ends_with_3_if_a_reused_result_is_another_when_it_is_graded_again(
        self, made: Path, project: Path, kept: Path, tmp_path: Path
    ) -> None:
        assert forge(
            kept, '"number": "3.1", "points": 1.5, "score": 1.5', '"number": "3.1", "points": 1.5, "score": 1.25'
        )
        call = partial(command, made, "--out", tmp_path / "out", "--baseline", kept, project=project)
        done = call("--recheck", 100, "--accept")
        assert done.returncode == 3
        assert (
            "twin_one, check 3.1: 1.25 points (passed) was reused, graded again it is 1.5 points (passed)"
            in done.stdout
        )
        assert "not accepted as the baseline" in done.stderr
        assert "twin_one, check 3.1" in (tmp_path / "out" / "report.html").read_text()
        assert call("--no-reuse").returncode == 0
        assert call("--recheck", 100).returncode == 0

    @pytest.mark.ci
    def test_grades_what_was_stored_by_another_user_or_is_damaged_and_says_so(
        self, made: Path, project: Path, kept: Path, tmp_path: Path
    ) -> None:
        assert forge(kept, '"title": "Rows of length 1"', '"title": 3')
        done = command(made, "--out", tmp_path / "out", "--baseline", kept, project=project)
        assert done.returncode == 0
        assert "No question was reused." in done.stdout
        assert re.search(rf"note: not reused: {kept}/questions/\w+\.json:\s+it\s+is\s+not\s+valid", done.stderr)
