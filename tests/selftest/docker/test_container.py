"""The sandbox holds in a container with Docker's default profile, as on Gradescope; run by `selftest -m container`."""

import json
import re
from functools import partial
from typing import Any

import pytest

from tests.selftest.support.container import (
    HOARDER,
    PROJECT,
    USER,
    Container,
    container,
    gradescope_files,
    packed,
    source_files,
)
from tests.selftest.support.docker_engine import Docker

pytestmark = pytest.mark.container

LAYERS = tuple(
    f"sandbox/test_{name}" for name in ("client", "hostile", "self_check", "landlock", "layers", "own_uid", "seccomp")
)
FAULTS = ("faults/test_grader_faults", "faults/test_zygote_faults")
SUITE_S = 1200.0  # on a busy machine
TOLD = re.compile(r"^(?:\w+, container: .*|SKIPPED .*)$", re.MULTILINE)
SCRIPT = "/autograder/source/run_autograder"
AS_ON_GRADESCOPE = ("--memory=768m", "--memory-swap=768m", "--cpus=0.5", "--network=none")
NAMESPACES = {"pid namespace", "network namespace", "ipc namespace", "read-only mounts"}


@pytest.fixture
def start(container_image: tuple[Docker, str]) -> Any:
    """Starts a container, given options of `docker run`."""
    return partial(container, *container_image)


@pytest.mark.parametrize(
    ("owner", "uid", "suite"), [("root", 0, LAYERS + FAULTS), ("a user", USER, LAYERS)], ids=["root", "user"]
)
def test_sandbox_holds(start, record_property, owner, uid, suite):
    files = [f"tests/selftest/{name}.py" for name in suite]
    with start("--network=none", f"--user={uid}", "--env=HOME=/tmp") as machine:
        machine.put(packed(source_files(), owner=uid))
        ended = machine.run(SCRIPT, "selftest", "-q", "-rs", "-n", "auto", *files, timeout_s=SUITE_S)
    *_, last = ended.output.strip().splitlines()
    record_property("told", "\n".join([*TOLD.findall(ended.output), f"{owner} in a container: {last}"]))
    assert ended.status == 0, ended.output[-20_000:]
    assert " passed" in last


def test_gradescope_grades_in_full_and_stops_every_attack_and_a_hoarder_of_memory_spoils_one_test(start):
    hoarder = {"autograder/hoarder/sgd.py": HOARDER.encode()}
    with start(*AS_ON_GRADESCOPE) as machine:
        machine.put(packed({**source_files(), **gradescope_files(PROJECT / "examples" / "right"), **hoarder}))
        results = graded(machine, "/autograder/results", "sh", "-c", "cd /autograder && exec ./run_autograder")
        hoarding = graded(machine, "/tmp/results", SCRIPT, "grade", "/autograder/hoarder", "--only", "sgd")
        attacked = machine.run(
            SCRIPT, "selftest", "-q", "-n", "0", "tests/selftest/sandbox/test_hostile.py", "-k", "has_the_outcome"
        )
    assert attacked.status == 0, attacked.output[-20_000:]
    assert points(results, "score") == points(results, "max_score") > 0
    assert inactive(results) - {"Landlock"} == NAMESPACES
    verdicts = {test["number"]: test["extra_data"]["verdict"] for test in hoarding["tests"]}
    assert verdicts == {"2.1": "passed", "2.2": "passed", "2.3": "partial"}


def test_right_submission_is_graded_in_full_as_a_user(start):
    with start("--network=none", f"--user={USER}") as machine:
        machine.put(packed(source_files(), owner=USER))
        results = graded(machine, "/tmp/results", SCRIPT, "grade", "/autograder/source/examples/right")
    assert points(results, "score") == points(results, "max_score") > 0
    assert inactive(results) == NAMESPACES | {"user namespace", "own user", "empty root folder"}


def graded(machine: Container, folder: str, *command: str) -> dict:
    """Return the results that a run of the grader writes."""
    ended = machine.run(*command, *([] if folder.startswith("/autograder") else ["--results", folder]))
    assert ended.status == 0, ended.output
    return json.loads(machine.read(f"{folder}/results.json"))


def points(results: dict, field: str) -> float:
    """The sum over the tests that give points."""
    return sum(test[field] for test in results["tests"] if field in test)


def inactive(results: dict) -> set[str]:
    """The names of the layers that results.json says are not in force."""
    return {layer["name"] for layer in results["extra_data"]["layers"] if not layer["is_active"]}
