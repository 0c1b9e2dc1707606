"""Grading a class: differences after a change of the grader, isolation between submissions, stopping and resuming."""

import contextlib
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from autograder.diagnosis import KnownReplies, find_rows
from autograder.grading.collection import collect_hidden_tests
from autograder.regression.class_results import BaselineError, Run, load_result, write_class
from autograder.regression.comparison import Cause, read_baseline
from autograder.regression.graders import GraderPool, GraderSettings, RunError
from autograder.regression.regress import RegressRequest, regress
from autograder.regression.roster import read_roster
from autograder.regression.summary import Summary
from tests.selftest.support import made_class
from tests.selftest.support.grader_process import list_descendants, wait_for
from tests.selftest.support.made_class import MISSING, RIGHT, STUB, Made
from tests.selftest.support.staff_project import copy_to
from tests.selftest.support.toy_assignment import BANK, PROJECT, TOY, reference_text

pytestmark = [pytest.mark.slow, pytest.mark.once]

Class = tuple[Path, list[Made]]
SIZE = 16
QUESTION_ID = "rows"
TEST = "test_unit_rows_matrix"


def copy_project(folder: Path, edit: Callable[[str], str] = str) -> Path:
    """Copy the grader and the toy, and edit the text of one question's hidden tests."""
    copy_to(folder)
    tests = folder / "tests" / "hidden" / f"test_{QUESTION_ID}.py"
    tests.write_text(edit(tests.read_text()))
    return folder


def replace_body(text: str, body: str = "    assert student\n") -> str:
    """Replace the body of a hidden test."""
    title = '    """unit_rows: four rows of three numbers"""\n'
    head, tail = text.split(title)
    return head + title + body + tail.partition("\n")[2]


def run(path: Path, out: Path, **options: Any) -> Summary:
    """Run over the cheapest question."""
    fields: dict[str, Any] = {"root": TOY, "only": (QUESTION_ID,), "jobs": 2, **options}
    return regress(RegressRequest(path=path, out=out, **fields))


def read_results(out: Path) -> dict[str, Any]:
    """Return the results and the gradebook of a run, without durations.

    A write that was killed leaves a file whose name ends otherwise.
    """
    found = {path.name: json.loads(path.read_text()) for path in (out / "results").glob("*.json")}
    for fields in found.values():
        fields.pop("execution_time", None)
    return {**found, "scores": (out / "scores.csv").read_text()}


def read_untimed(out: Path) -> dict[str, Any]:
    """Return everything that a run wrote, without its durations."""
    return {**read_results(out), "summary": {**json.loads((out / "summary.json").read_text()), "timing": None}}


def command(*arguments: object, project: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run the command over the cheapest question, with the grader and toy of a project or of this one."""
    return subprocess.run(build_command(*arguments, project=project), capture_output=True, text=True, check=False)


def build_command(*arguments: object, project: Path | None = None) -> list[str]:
    """Return the command line of a run over the cheapest question."""
    program = [sys.executable, "-I", str((project or PROJECT) / "autograder" / "__main__.py"), "regress"]
    return [*program, *map(str, arguments), "--assignment", str(project or TOY), "--only", QUESTION_ID]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Made]]:
    """A class with every known mistake of the question, and the planted kinds."""
    folder = tmp_path_factory.mktemp("class") / "export"
    planted = made_class.make_export(folder, SIZE, question_ids=[QUESTION_ID], seed=20)
    assert {RIGHT, STUB, MISSING} < {each.planted[QUESTION_ID] for each in planted}
    return folder, planted


@pytest.fixture(scope="module")
def baseline(made: Class, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run of the current grader over the class."""
    out = tmp_path_factory.mktemp("baseline") / "out"
    assert run(made[0], out).is_complete
    return out


class TestDifferences:
    @pytest.mark.ci
    def test_are_exactly_those_that_a_changed_test_makes(self, made: Class, baseline: Path, tmp_path: Path) -> None:
        folder, planted = made
        tests = collect_hidden_tests(BANK.assignment, question_ids=(QUESTION_ID,))
        known = KnownReplies(BANK, {each.test.test_id: each for each in tests})
        caught = {each.id for each in BANK.load(QUESTION_ID) if TEST in find_rows(each, known)} | {STUB, MISSING}
        expected = {each.name for each in planted if each.planted[QUESTION_ID] in caught}
        project = copy_project(tmp_path / "project", replace_body)
        out = tmp_path / "out"
        request = RegressRequest(root=project, path=folder, out=out, only=(QUESTION_ID,), baseline=baseline, jobs=2)
        found = regress(request).baseline
        assert found is not None
        assert {each.file for each in found.differences} == expected
        assert {each.cause for each in found.differences} == {Cause.GRADER}
        moves = [move for each in found.differences for move in each.moves]
        assert {move.after for move in moves if move.row.startswith("3.1 ")} == {1.5}
        row, *_ = found.rows
        assert (row.row, set(row.gained), row.dropped) == ("3.1 unit_rows: four rows of three numbers", expected, ())
        assert all(sum(move.change for move in each.moves) >= 0 for each in found.differences)
        assert (found.compared, found.unstable) == (SIZE, ())

    @pytest.mark.ci
    def test_from_published_scores_are_those_planted_in_the_export(
        self, made: Class, baseline: Path, tmp_path: Path
    ) -> None:
        folder = tmp_path / "export"
        shutil.copytree(made[0], folder)
        moved = made_class.publish(folder, baseline / "results", wrong=2)
        summary = run(folder, tmp_path / "out", baseline=folder)
        assert summary.baseline is not None
        assert [each.file for each in summary.baseline.differences] == moved
        assert summary.baseline.compared == SIZE


class TestOurFault:
    @pytest.mark.ci
    def test_with_one_submission_affects_no_other(self, made: Class, tmp_path: Path) -> None:
        folder = tmp_path / "class"
        for name in [each.name for each in made[1] if each.planted[QUESTION_ID] == RIGHT][:4]:
            shutil.copytree(made[0] / name, folder / name)
        (folder / "victim").mkdir()
        (folder / "victim" / f"{QUESTION_ID}.py").write_text("def unit_rows(x): return 'fatal'\n")
        fatal = (
            f"    if student.{QUESTION_ID}.unit_rows(np.ones((1, 1))) == 'fatal':\n        __import__('os').abort()\n"
        )
        project = copy_project(tmp_path / "project", lambda text: replace_body(text, fatal))
        summary = run(folder, tmp_path / "out", root=project)
        assert summary.undecided == ("victim",)
        assert {row.score for row in summary.students if row.member.name != "victim"} == {4.0}
        stored = load_result(tmp_path / "out", "victim")
        assert stored is not None
        assert "exit status -6" in stored.fields["extra_data"]["fault"]
        assert stored.total is None

    def test_that_hangs_ends_after_the_time_limit(self, tmp_path: Path) -> None:
        (tmp_path / "class" / "ann").mkdir(parents=True)
        project = copy_project(
            tmp_path / "project", lambda text: replace_body(text, "    __import__('signal').pause()\n")
        )
        settings = GraderSettings(
            root=str(project), folder=str(tmp_path), only=(QUESTION_ID,), deadline_s=0.5, grace_s=1.5
        )
        pool = GraderPool(settings)
        with read_roster(tmp_path / "class", BANK.assignment) as roster, contextlib.closing(pool):
            reply = pool.grade(roster.entries[0].pack())
        assert "did not answer for 2 s, twice" in reply.fault

    @pytest.mark.ci
    def test_in_the_staffs_files_ends_the_run(self, made: Class, tmp_path: Path) -> None:
        project = copy_project(tmp_path / "project", lambda text: text.replace("@weight(1.5)\n", ""))
        with pytest.raises(RunError, match="test_unit_rows_matrix"):
            run(made[0], tmp_path / "out", root=project)

    @pytest.mark.ci
    def test_is_retried_by_the_next_start(self, made: Class, baseline: Path, tmp_path: Path) -> None:
        out = tmp_path / "out"
        shutil.copytree(baseline, out)
        name = made[1][0].name
        path = out / "results" / f"{name}.json"
        fields = json.loads(path.read_text())
        fields["tests"][0]["extra_data"]["verdict"] = "undecided"
        path.write_text(json.dumps(fields))
        (out / "results" / f"{made[1][1].name}.json").write_text('{"half a fi')
        summary = run(made[0], out)
        assert (summary.timing.graded, summary.timing.kept) == (2, SIZE - 2)
        assert read_untimed(out) == read_untimed(baseline)


def test_unreadable_submissions_have_a_result_that_says_so(tmp_path: Path) -> None:
    (tmp_path / "class" / "ann").mkdir(parents=True)
    (tmp_path / "class" / "ann" / f"{QUESTION_ID}.py").write_text(reference_text(QUESTION_ID))
    (tmp_path / "class" / "bo.zip").write_bytes(b"no zip")
    progress: list[tuple[int, int, int, list[str]]] = []
    request = RegressRequest(root=TOY, path=tmp_path / "class", out=tmp_path / "out", only=(QUESTION_ID,))
    summary = regress(request, progress=lambda *told: progress.append(told))
    assert [names for *_, names in progress] == [["ann"], ["ann"], []]
    assert progress[-1][:3] == (2, 2, 0)
    assert [(row.member.name, row.state, row.score) for row in summary.students] == [
        ("ann", "graded", 4.0),
        ("bo.zip", "unreadable", 0.0),
    ]
    assert "is not a valid zip" in json.loads((tmp_path / "out" / "results" / "bo.zip.json").read_text())["output"]
    (tmp_path / "class" / "cy").mkdir()
    (tmp_path / "class" / "cy" / "hw.zip").write_bytes(b"no zip")
    done = command(tmp_path / "class", "--out", tmp_path / "out", "--grades", "moodle")
    assert done.returncode == 0
    told = "  bo.zip: cannot be read, 0 points; bo.zip: is not a valid zip; pack your files again as an ordinary zip\n"
    assert told in done.stdout
    assert "  cy: cannot be read, 0 points; hw.zip: is not a valid zip; pack your files again" in done.stdout
    assert "note: 3 rows of a gradebook without number and email, which only an export has" in done.stderr


def test_a_run_of_other_questions_is_no_baseline(tmp_path: Path) -> None:
    write_class(tmp_path, Run("a run", ("rows", "fitting"), {}, lambda _: None))
    assert read_baseline(tmp_path, BANK.assignment, ("rows", "descent")).only == ("rows", "fitting")
    with pytest.raises(BaselineError, match="holds no run to compare with: it graded rows, fitting alone"):
        read_baseline(tmp_path, BANK.assignment, ("descent",))


@pytest.mark.parametrize(
    ("content", "told"), [(None, "no class.json"), ("{", "is damaged"), ("{}", "of another version")]
)
def test_a_folder_without_a_run_to_compare_with_says_why(tmp_path: Path, content: str | None, told: str) -> None:
    if content is not None:
        (tmp_path / "class.json").write_text(content)
    (tmp_path / "ann.py").touch()
    with pytest.raises(BaselineError, match=rf"holds no run to compare with: .*{told}"):
        read_baseline(tmp_path, BANK.assignment)


class TestStopping:
    @staticmethod
    @contextlib.contextmanager
    def started(folder: Path, out: Path, count: int) -> Iterator[subprocess.Popen[str]]:
        """Start a run and wait until it has written `count` results."""
        process = subprocess.Popen(
            build_command(folder, "--out", out, "--jobs", 2), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        try:
            wait_for(lambda: process.poll() is not None or len(list((out / "results").glob("*.json"))) >= count)
            assert process.poll() is None, process.communicate()
            yield process
        finally:
            process.kill()
            process.communicate()

    @pytest.mark.ci
    def test_by_a_kill_ends_every_process_and_loses_nothing(self, made: Class, baseline: Path, tmp_path: Path) -> None:
        out = tmp_path / "out"
        with self.started(made[0], out, 3) as process:
            family = list_descendants(process.pid)
            assert len(family) >= 4
            process.kill()
            process.communicate()
            wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in family))
        unfinished = (f"results/.{made[1][0].name}.json-a1b2c3d4",)
        for name in (".report.html-a1_b2c3d", *unfinished):
            (out / name).write_text("half a fi")
        done = command(made[0], "--out", out)
        kept = json.loads((out / "summary.json").read_text())["timing"]["kept"]
        assert kept >= 3
        assert f"{kept} kept" in done.stdout
        assert list(out.rglob(".*")) == []
        assert read_untimed(out) == read_untimed(baseline)


class TestCommand:
    @pytest.mark.ci
    def test_ends_with_1_if_scores_differ_and_names_the_submissions(
        self, made: Class, baseline: Path, tmp_path: Path
    ) -> None:
        earlier, out = tmp_path / "earlier", tmp_path / "out"
        shutil.copytree(baseline, earlier)
        shutil.copytree(baseline, out)
        name = next(each.name for each in made[1] if each.planted[QUESTION_ID] == RIGHT)
        path = earlier / "results" / f"{name}.json"
        fields = json.loads(path.read_text())
        fields["tests"][0]["score"], fields["score"] = 0.0, 2.5
        path.write_text(json.dumps(fields))
        arguments = (made[0], "--out", out, "--baseline", earlier)
        done = command(*arguments, "--grades", "canvas")
        assert done.returncode == 1
        assert f"written to {out}/report.html, {out}/grades.canvas.csv\n" in done.stdout
        assert f"  {name}: 2.5 to 4.0 points (3.1)" in done.stdout
        assert "the grader is not repeatable" in done.stdout

    @pytest.mark.sampled(second=1)
    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (("--baseline", "out"), "are the same folder"),
            (("--baseline", "nothing"), "holds no run to compare with"),
            (("--out", "{made}/out"), "--out is inside PATH"),
            (("--out", "a_file/out"), "cannot write to a_file/out: Not a directory"),
            (("--baseline", "empty"), "no scores of an export (empty: holds no submission"),
            (("--baseline", "{made}"), "no class.json that regress wrote, and no scores of an export"),
            (("--accept",), "--accept made a run the baseline, and is gone: name its folder in the next run"),
            (("--published",), "--published compared with the scores in the export, and is gone: name the export"),
            (("--only", "nothing"), "there is no question 'nothing'"),
        ],
    )
    def test_explains_wrong_usage(self, made: Class, tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
        line = build_command(made[0], "--out", "out")[:-2]
        filled = [each.format(made=made[0]) for each in arguments]
        (tmp_path / "empty").mkdir()
        (tmp_path / "a_file").touch()
        done = subprocess.run([*line, *filled], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert message in " ".join(done.stderr.replace("│", " ").split())
