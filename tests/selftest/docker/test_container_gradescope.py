"""A course's way over Gradescope, by container: the zip is uploaded, and students see results at four moments.

The image is built from the zip as Gradescope builds it, and each submission has a container with its default limits.
`GRADESCOPE_PAGES=DIR` keeps the pages that a student sees, to look at them.
"""

import io
import json
import os
import re
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from autograder.gradescope.result_page import Moment, describe_total, list_shown, render_result_page
from autograder.gradescope.results_json import Results, read_results_json
from tests.selftest.cli.test_main import BY_HAND, POINTS, run
from tests.selftest.docker.test_container import AS_ON_GRADESCOPE
from tests.selftest.support.container import LABEL, Files, container, packed, pip_settings
from tests.selftest.support.docker_engine import Docker
from tests.selftest.support.staff_project import copy_staff_project
from tests.selftest.support.toy_assignment import TOY

pytestmark = pytest.mark.container

DUE = datetime(2026, 3, 1, 23, 59, tzinfo=timezone(timedelta(hours=-8)))
LATE = "\n[late]\npercent_per_day = 10\nmost_percent = 50\nfree_days = 1\n"
ROWS = "tests/hidden/test_rows.py"

Submit = Callable[..., Results]


@pytest.fixture
def staff(tmp_path: Path) -> Path:
    """A course's project: its assignment has late days and a check that waits for the grades."""
    project = copy_staff_project(tmp_path)
    change(project / "reference" / "assignment.toml", r"\Z", LATE)
    change(project / ROWS, r'(?s)(number."3.4".*?)after_due_date', r"\1after_published")
    return project


def withdraw(project: Path) -> None:
    """Give the points of the last check to the first, as a course does that regrets a check."""
    change(project / ROWS, r"(?s)@weight\(0.25\).*", "")
    change(project / ROWS, r"@weight\(1.5\)", "@weight(1.75)")


def change(path: Path, pattern: str, text: str) -> None:
    changed, times = re.subn(pattern, text, path.read_text(encoding="utf-8"))
    assert times == 1
    path.write_text(changed, encoding="utf-8")


def package(project: Path) -> bytes:
    """Make the zip that a course uploads."""
    made = run("package", "gradescope", cwd=project, AUTOGRADER_ASSIGNMENT=str(project))
    assert made.returncode == 0, made.stderr
    return (project / "autograder.zip").read_bytes()


@contextmanager
def built_image(docker: Docker, base: str, upload: bytes) -> Iterator[str]:
    """Build an image as Gradescope does: the zip is unpacked, setup.sh runs with the network, the script is copied."""
    with zipfile.ZipFile(io.BytesIO(upload)) as archive:
        files = {f"autograder/source/{name}": archive.read(name) for name in archive.namelist() if name[-1] != "/"}
    settings, mounts = pip_settings()
    with container(docker, base, "--network=host", *mounts) as machine:
        machine.run("rm", "-r", "/autograder")
        machine.put(packed({**files, "autograder/run_autograder": files["autograder/source/run_autograder"]}))
        setup = machine.run("sh", "-c", "chmod +x /autograder/source/setup.sh; /autograder/source/setup.sh",
                            settings=settings)  # fmt: skip
        assert setup.status == 0, setup.output
        assert setup.output.splitlines()[-1].startswith("run_autograder ")
        name = f"{LABEL}:gradescope"
        docker.run("commit", machine.id, name, timeout_s=120.0)
    try:
        yield name
    finally:
        docker.run("rmi", "--force", name)


@contextmanager
def uploaded(image: tuple[Docker, str], project: Path) -> Iterator[Submit]:
    """Upload the project's zip; yields a function that submits an example some hours after the due date."""
    docker, base = image
    with built_image(docker, base, package(project)) as name:

        def submit(example: str, hours: float) -> Results:
            with container(docker, name, *AS_ON_GRADESCOPE) as machine:
                machine.put(packed(harness_files(example, hours)))
                ended = machine.run("sh", "-c", "cd /autograder && exec ./run_autograder")
                assert ended.status == 0, ended.output
                return read_results_json(machine.read("/autograder/results/results.json"))

        yield submit


def harness_files(example: str, hours: float) -> Files:
    """Build the files that Gradescope's harness makes at each run."""
    folder = TOY / "examples" / example
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    metadata = {
        "id": 7,
        "created_at": tell_time(hours),
        "assignment": {"total_points": str(POINTS + BY_HAND), "due_date": tell_time(0)},
        "submission_method": "upload",
        "users": [{"email": "ann@uni.edu", "id": 1, "name": "Ann"}],
    }
    return {
        **{f"autograder/submission/{path.relative_to(folder)}": path.read_bytes() for path in paths},
        "autograder/results": None,
        "autograder/submission_metadata.json": json.dumps(metadata).encode(),
    }


def tell_time(hours: float) -> str:
    return (DUE + timedelta(hours=hours)).isoformat()


def look(name: str, results: Results, moment: Moment) -> tuple[set[str], str]:
    """Return the numbers of the checks that a student sees, and the total; keep the page if a folder is named."""
    if folder := os.environ.get("GRADESCOPE_PAGES"):
        (Path(folder) / f"{name}, {moment.value}.html").write_text(render_result_page(results, [moment]))
    return {test.number or "" for test in list_shown(results, moment)}, describe_total(results, moment)


def test_from_the_upload_to_the_regrade(container_image, staff):
    with uploaded(container_image, staff) as submit:
        first, late = submit("half_done", -5), submit("right", 30)
    seen, total = look("first", first, Moment.BEFORE_DUE)
    later, total_later = look("first", first, Moment.AFTER_DUE)
    last, total_last = look("first", first, Moment.PUBLISHED)
    assert seen < later < last
    assert [[number in shown for shown in (seen, later, last)] for number in ("3.1", "3.2", "3.4")] == [
        [True, True, True],
        [False, True, True],
        [False, False, True],
    ]
    assert (total, total_later, total_last) == ("-", "-", f"{first.score:g} / {POINTS:g}")
    assert "3.4" not in str(first.output)

    assert str(late.output).startswith("Submitted on day 2 after the due date, with 1 free day: the score")
    assert late.score == 0.9 * POINTS
    assert [column.name for column in late.leaderboard or ()] == ["cost after three steps"]
    assert look("late", late, Moment.PUBLISHED)[1] == "-"  # a text and its rubric stay with the staff

    withdraw(staff)
    with uploaded(container_image, staff) as submit:
        regraded = submit("half_done", -5)
    assert regraded.score == (first.score or 0) + 0.25
    assert look("regraded", regraded, Moment.PUBLISHED) == (last - {"3.4"}, f"{regraded.score:g} / {POINTS:g}")
