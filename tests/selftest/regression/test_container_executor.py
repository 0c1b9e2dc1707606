"""Grading a class in containers: what goes in, what comes out, and what ends the run. The engine is a double."""

from __future__ import annotations

import io
import json
import platform
import tarfile
import threading
from collections.abc import Iterator
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from autograder.cli.regress import grade_zip
from autograder.docker.container import Conditions
from autograder.gradescope.results_json import build_results, build_unreadable
from autograder.regression.executor import Containers, open_container_executor
from autograder.regression.grader_pool import Job, RunError
from autograder.regression.regress import regress
from autograder.regression.request import RegressRequest
from autograder.regression.roster import PackedSubmission
from autograder.submission.file_tree import Listing
from tests.selftest.cli.test_main import run
from tests.selftest.support.reports import GRADER, check, report
from tests.selftest.support.toy_assignment import TOY

pytestmark = pytest.mark.once

GRADED = build_results(report(check())).as_bytes()
NO_ENGINE = "unix:///nowhere/docker.sock"


class Engine:
    """Docker's client, as far as a run uses it: a container that leaves `results` and remembers what it got.

    It runs for ever if its `status` is "running".
    """

    def __init__(self, results: bytes | None, exit_status: int = 0, status: str = "exited") -> None:
        self.results, self.given, self.status = results, [], status
        self.attrs = {"State": {"OOMKilled": False, "ExitCode": exit_status}}
        self.containers, self.reload, self.logs = self, lambda: None, lambda **_: b"printed"
        self.is_started, self.is_removed = threading.Event(), threading.Event()
        self.start, self.remove = self.is_started.set, lambda **_: self.is_removed.set()

    def create(self, image: str, **options: Any) -> Engine:
        """Make the container, which is this object too."""
        assert options["network_mode"] == "none"
        return self

    def put_archive(self, path: str, content: bytes) -> None:
        """Remember the names of the files."""
        with tarfile.open(fileobj=io.BytesIO(content)) as packed:
            self.given.append(packed.getnames())

    def get_archive(self, path: str) -> tuple[list[bytes], None]:
        """Return results.json as the engine does."""
        import docker.errors  # noqa: PLC0415  (as above)

        if self.results is None:
            raise docker.errors.NotFound("no such file")
        buffer = io.BytesIO()
        with tarfile.open(fileobj=buffer, mode="w") as packed:
            member = tarfile.TarInfo("results.json")
            member.size = len(self.results)
            packed.addfile(member, io.BytesIO(self.results))
        return [buffer.getvalue()], None


def grade_in(engine: Engine, image_id: str = "sha256:0") -> Containers:
    """Describe containers of this engine."""
    grade = partial(grade_zip, lambda: nullcontext(engine), Conditions("made", 4.0, 768, 600.0))
    return Containers(grade, "made", image_id, GRADER.content_hash)


PACKED = PackedSubmission(
    Listing(("descent.py", "hw/averages.py")), dict.fromkeys(("descent.py", "hw/averages.py"), b"x = 1\n"), {}
)
JOB = Job("ann", PACKED)


def write_class(folder: Path, *names: str) -> None:
    """Write submissions to one question."""
    for name in names:
        (folder / name).mkdir(parents=True)
        (folder / name / "descent.py").write_text("x = 1\n")


def test_the_files_go_in_and_the_result_comes_out() -> None:
    engine = Engine(GRADED)
    with open_container_executor(grade_in(engine), width=2) as executor:
        (found,) = executor.run(iter([JOB]))
    assert found[1].results == json.loads(GRADED)
    assert {"autograder/submission/descent.py", "autograder/submission/hw/averages.py"} <= set(engine.given[0])


def test_a_run_that_is_stopped_removes_the_containers_that_run() -> None:
    engine = Engine(None, status="running")

    def stop_after_start() -> Iterator[Job]:
        yield JOB
        assert engine.is_started.wait(timeout=60)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), open_container_executor(grade_in(engine), width=2) as executor:
        list(executor.run(stop_after_start()))
    assert engine.is_removed.is_set()


def test_an_unreadable_submission_keeps_its_result() -> None:
    reply = grade_in(Engine(build_unreadable("no file").as_bytes(), exit_status=2)).grade(JOB)
    assert (reply.results or {})["extra_data"] == {"state": "unreadable"}


@pytest.mark.parametrize(
    ("results", "told"), [(None, "left no results.json\nprinted"), (b"{", "cannot be read"), (b"[1]", "cannot be read")]
)
def test_a_container_that_leaves_no_result_is_our_fault(results: bytes | None, told: str) -> None:
    reply = grade_in(Engine(results, exit_status=3)).grade(JOB)
    assert told in reply.fault
    assert reply.results is None


def test_an_image_with_another_grader_ends_the_run() -> None:
    fields = json.loads(GRADED)
    fields["extra_data"]["grader"]["content_hash"] = "another"
    with pytest.raises(RunError, match="the image 'made' holds another grader; build it again"):
        grade_in(Engine(json.dumps(fields).encode())).grade(JOB)


@pytest.mark.ci
@pytest.mark.slow
def test_results_of_containers_and_of_this_machine_are_not_mixed(tmp_path: Path) -> None:
    """Each start leaves results of its own kind only; one of the same kind resumes."""
    write_class(tmp_path / "class", "ann", "bob")
    request = RegressRequest(TOY, tmp_path / "class", tmp_path / "out", only=("descent",))
    first, second = (grade_in(Engine(GRADED), image_id) for image_id in ("1", "2"))
    kept = {each: [] for each in ("here", "first", "second")}
    for name, each in (("here", None), ("first", first), ("first", first), ("second", second), ("here", None)):
        summary = regress(request, containers=each)
        assert summary.is_complete
        assert summary.grader.python == (platform.python_version() if name == "here" else GRADER.python)
        kept[name].append(summary.timing.kept)
    assert kept == {"here": [0, 0], "first": [0, 2], "second": [0]}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "status", "told"),
    [
        (("--only", "descent"), 2, "--docker grades all questions as Gradescope does"),
        ((), 3, "no Docker engine answers at"),
    ],
)
def test_the_command_refuses(tmp_path: Path, options: tuple[str, ...], status: int, told: str) -> None:
    write_class(tmp_path / "class", "ann")
    arguments = ("regress", "class", "--out", "out", "--docker", "--force", *options)
    done = run(*arguments, cwd=tmp_path, DOCKER_HOST=NO_ENGINE)
    assert (done.returncode, told in done.stderr) == (status, True), done.stderr
