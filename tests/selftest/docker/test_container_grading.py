"""package image and grade --docker with a real engine: the image grades like any other machine."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.selftest.cli.test_main import results_in, run
from tests.selftest.golden.regenerate import golden_path
from tests.selftest.support.container import HOARDER, LABEL
from tests.selftest.support.grading import PROJECT

pytestmark = pytest.mark.container

IMAGE = f"{LABEL}-grader"
# Returns the right result if an attack succeeds, so that points reveal it.
ATTACKER = """
import numpy as np

def normalizeRows(x):
    for attack in (read_the_reference, read_the_metadata, write_the_result, call_out, kill_the_grader):
        try:
            attack()
        except Exception:
            continue
        return x / np.maximum(np.linalg.norm(x, axis=1, keepdims=True), 1e-300)
    return 0 * x

def read_the_reference():
    import os
    open("/autograder/source/reference/normalization.py").read(1)

def read_the_metadata():
    open("/autograder/submission_metadata.json").read(1)

def write_the_result():
    import os
    os.open("/autograder/results/results.json", os.O_WRONLY)

def call_out():
    import socket
    socket.create_connection(("1.1.1.1", 53), 1)

def kill_the_grader():
    import os
    os.kill(os.getppid(), 9)
"""

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


def submission_of(folder: Path, **texts: str) -> Path:
    (folder / "submission").mkdir()
    for name, text in texts.items():
        (folder / "submission" / f"{name}.py").write_text(text)
    return folder / "submission"


@pytest.mark.parametrize("example", ["half_done", "right"])
def test_results_equal_those_of_other_machines(command, tmp_path, example):
    done = grade(command, PROJECT / "examples" / example, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "copied to results.json"
    results, golden = results_in(tmp_path), json.loads(golden_path(example).read_bytes())
    del results["execution_time"]
    for key in ("grader", "layers", "layers_are"):  # which differ from machine to machine
        del results["extra_data"][key]
    assert results == golden


def test_attacks_fail(command, tmp_path):
    done = grade(command, submission_of(tmp_path, normalization=ATTACKER), tmp_path)
    assert done.returncode == 0, done.stderr
    results = results_in(tmp_path)
    assert results["score"] == 0
    verdicts = {test["extra_data"]["verdict"] for test in results["tests"] if test["number"].startswith("3.")}
    assert verdicts == {"failed"}


def test_asking_for_all_memory_loses_one_test_and_kills_nothing(command, tmp_path):
    """A worker's limit fits the container, so that the kernel ends no process there."""
    done = grade(command, submission_of(tmp_path, sgd=HOARDER), tmp_path)
    assert done.returncode == 0, done.stderr
    assert "was killed" not in done.stderr
    tests = [test for test in results_in(tmp_path)["tests"] if test["extra_data"]["question"] == "sgd"]
    ends = [(test["extra_data"]["verdict"], test["extra_data"]["outcome"]) for test in tests]
    assert [end for end in ends if end != ("passed", "returned")] == [("failed", "out_of_memory")]


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
    options = ("--name", f"{IMAGE}:broken", "--base", "nobody.invalid/has:this")
    done = command("package", "image", *options, cwd=PROJECT)
    assert (done.returncode, "the image cannot be built: " in done.stderr) == (3, True)
