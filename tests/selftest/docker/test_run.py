"""grade --docker and package image without an engine; test_container_grading has the rest."""

from pathlib import Path

import pytest

from tests.selftest.cli.test_main import run
from tests.selftest.support.toy_assignment import EXAMPLES

pytestmark = [pytest.mark.slow, pytest.mark.once]

NO_ENGINE = "unix:///nowhere/docker.sock"
RIGHT = str(EXAMPLES / "right")


@pytest.mark.sampled(second=1)
@pytest.mark.parametrize("arguments", [("grade", "--docker", RIGHT), ("package", "image")], ids=["grade", "package"])
def test_without_an_engine_it_says_what_to_do(tmp_path: Path, arguments):
    done = run(*arguments, cwd=tmp_path, DOCKER_HOST=NO_ENGINE)
    assert done.returncode == 3
    assert f"no Docker engine answers at {NO_ENGINE} (not found); start Docker, or install it" in done.stderr


@pytest.mark.parametrize("other", [("--only", "rows"), ("--strict",)])
def test_options_unknown_to_gradescope_are_refused(tmp_path: Path, other):
    done = run("grade", "--docker", RIGHT, *other, cwd=tmp_path, DOCKER_HOST=NO_ENGINE)
    assert (done.returncode, "--docker grades all questions as Gradescope does" in done.stderr) == (2, True)
