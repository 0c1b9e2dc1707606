"""The sandbox holds in a container with Docker's default profile, as on Gradescope; run by `selftest -m container`."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.selftest.container import (
    PROJECT,
    USER,
    container,
    gradescope_files,
    image_with_environment,
    last_line,
    packed,
    source_files,
)
from tests.selftest.docker_engine import Docker, NoDockerError, docker_engine

pytestmark = pytest.mark.container

SUITES = {"attacks": ("hostile",), "layers": ("landlock", "layers", "own_uid", "proof", "sandbox", "seccomp_filter")}
SCRIPT = "/autograder/run_autograder"
AS_ON_GRADESCOPE = ("--memory=768m", "--cpus=0.5", "--network=none")
NAMESPACES = {"pid namespace", "network namespace", "ipc namespace", "read-only mounts"}


@pytest.fixture(scope="module")
def docker() -> Iterator[Docker]:
    try:
        with docker_engine() as engine:
            image_with_environment(engine)
            yield engine
    except NoDockerError as error:
        pytest.skip(f"no containers here: {error}")


@pytest.mark.parametrize("suite", SUITES)
@pytest.mark.parametrize("owner", [0, USER], ids=["root", "user"])
def test_sandbox_holds(docker, capsys, suite, owner):
    files = [f"tests/selftest/test_{name}.py" for name in SUITES[suite]]
    options = ("--network=none", f"--user={owner}", "--env=HOME=/tmp")
    with container(docker, image_with_environment(docker), *options) as place:
        place.put(packed(source_files(), owner=owner))
        ended = place.run("/autograder/source/run_autograder", "selftest", "-q", "-rs", *files)
    with capsys.disabled():
        print(f"\nin a container, {suite}, as {'root' if owner == 0 else 'a user'}: {last_line(ended.output)}")
    assert ended.status == 0, ended.output[-20_000:]
    assert " passed" in last_line(ended.output)


def test_right_submission_is_graded_in_full_as_on_gradescope(docker):
    with container(docker, image_with_environment(docker), *AS_ON_GRADESCOPE) as place:
        place.put(packed({**source_files(), **gradescope_files(PROJECT / "examples" / "right")}))
        ended = place.run("sh", "-c", f"cd /autograder && exec {SCRIPT}")
        results = json.loads(place.read("/autograder/results/results.json"))
    assert ended.status == 0, ended.output
    assert points(results, "score") == points(results, "max_score") > 0
    assert inactive(results) - {"Landlock"} == NAMESPACES


def test_right_submission_is_graded_in_full_as_a_user(docker):
    with container(docker, image_with_environment(docker), "--network=none", f"--user={USER}") as place:
        place.put(packed(source_files(), owner=USER))
        script = "/autograder/source/run_autograder"
        ended = place.run(script, "grade", "/autograder/source/examples/right", "--results", "/tmp/results")
        results = json.loads(place.read("/tmp/results/results.json"))
    assert ended.status == 0, ended.output
    assert points(results, "score") == points(results, "max_score") > 0
    assert inactive(results) == NAMESPACES | {"user namespace", "own user", "empty root folder"}


def points(results: dict, field: str) -> float:
    """The sum over the tests that give points."""
    return sum(test[field] for test in results["tests"] if field in test)


def inactive(results: dict) -> set[str]:
    """The names of the layers that results.json says are not in force."""
    return {layer["name"] for layer in results["extra_data"]["layers"] if not layer["is_active"]}
