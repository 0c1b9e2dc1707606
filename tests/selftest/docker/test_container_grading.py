"""package image and grade --docker with a real engine: the image grades like any other machine."""

import json
import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.selftest.cli.test_main import results_in, run
from tests.selftest.golden.regenerate import drop_what_differs, golden_path
from tests.selftest.support.container import LABEL
from tests.selftest.support.grading import PROJECT

pytestmark = pytest.mark.container

IMAGE = f"{LABEL}-grader"
# Returns the right result if an attack succeeds, so that points reveal it.
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def command(container_image: tuple[Any, str]) -> Iterator[Run]:
    """The command line, on the tests' engine, which has built the grader's image."""
    docker, base = container_image
    command = partial(run, AUTOGRADER_ASSIGNMENT=str(PROJECT), **({"DOCKER_HOST": docker.host} if docker.host else {}))
    try:
        built = command("package", "image", "--base", base, "--name", IMAGE, "--network", "none", cwd=PROJECT)
        assert built.returncode == 0, built.stderr
        assert "Successfully tagged" in built.stderr
        yield command
    finally:
        docker.try_run("rmi", "--force", IMAGE)


def grade(command: Run, submission: Path, folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Grade in the image; the results go to `folder`."""
    return command("grade", "--docker", "--image", IMAGE, *options, str(submission), "--results", ".", cwd=folder)


@pytest.mark.parametrize("example", ["half_done", "right"])
def test_results_equal_those_of_other_machines(command, tmp_path, example):
    done = grade(command, PROJECT / "examples" / example, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "copied to results.json"
    assert drop_what_differs(results_in(tmp_path)) == json.loads(golden_path(example).read_bytes())


@pytest.mark.parametrize(
    ("option", "value", "told"),
    [
        ("--time-limit", "1", "out of time after 1 seconds: Gradescope would give 0 points"),
        ("--image", "nobody:has", "there is no image 'nobody:has'; build it by `package image`"),
        ("--image", None, "/autograder/run_autograder does not start in the image"),
    ],
    ids=["timeout", "no image", "another image"],
)
def test_a_run_without_a_grade_says_why(command, container_image, tmp_path, option, value, told):
    done = grade(command, PROJECT / "examples" / "right", tmp_path, option, value or container_image[1])
    assert (done.returncode, told in done.stderr) == (3, True), done.stderr
    if option == "--time-limit":
        assert results_in(tmp_path)["extra_data"]["state"] == "unfinished"


def test_a_failed_build_names_its_step(command):
    options = ("--name", f"{IMAGE}:broken", "--base", "nobody.invalid/has:this", "--build-arg", "NO_PROXY", "*")
    done = command("package", "image", *options, cwd=PROJECT)
    assert (done.returncode, "the image cannot be built: " in done.stderr) == (3, True)
