"""Settings of all self-tests: made-up data is the same in every run, and a slow machine fails nothing."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.selftest.support.container import image_with_environment
from tests.selftest.support.docker_engine import Docker, NoDockerError, docker_engine

settings.register_profile("selftest", derandomize=True, deadline=None, database=None)
settings.load_profile("selftest")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the flag that writes what commands print into the README instead of comparing it."""
    parser.addoption("--update-readme", action="store_true", help="write the output of its commands into README.md")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests recorded under the name "told", also those that ran in another process."""
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for text in (text for name, text in report.user_properties if name == "told"):
            terminalreporter.write_line(str(text))


@pytest.fixture(scope="session")
def container_image() -> Iterator[tuple[Docker, str]]:
    """An engine and an image with the grader's environment: made once, for it takes minutes."""
    try:
        with docker_engine() as engine, image_with_environment(engine) as image:
            yield engine, image
    except NoDockerError as error:
        pytest.skip(f"no containers here: {error}")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for hidden tests, whose module no earlier test imported."""
    monkeypatch.delitem(sys.modules, "test_shapes", raising=False)
    (tmp_path / "hidden").mkdir()
    return tmp_path / "hidden"
