"""Settings of all self-tests: made-up data is the same in every run, and a slow machine fails nothing."""

import contextlib
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from autograder.sandbox.host.client import Zygote
from tests.selftest.support.container import image_with_environment
from tests.selftest.support.docker_engine import Docker, NoDockerError, docker_engine
from tests.selftest.support.session_store import close_store, make_store
from tests.selftest.support.tiers import list_marks_left_out, mark_sampled

# A file that `--fast` leaves out says so in one line, and is not even imported.
_IS_SLOW = re.compile(r"^pytestmark = .*\bpytest[.]mark[.](?:slow|content)\b", re.MULTILINE)

settings.register_profile("selftest", derandomize=True, deadline=None, database=None)
settings.load_profile("selftest")


def pytest_configure(config: pytest.Config) -> None:
    """Have programs that tests start end by Ctrl-C or a hangup, also if nohup or the background had us ignore these.

    A signal that is ignored stays so in them; one that is handled has its default action.
    """
    store = contextlib.ExitStack()
    store.enter_context(make_store())
    config.add_cleanup(store.close)
    for number in (signal.SIGINT, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda *_: None)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the flags of the self-tests."""
    parser.addoption("--fast", action="store_true", help="leave out what is marked slow or content")
    parser.addoption("--ci", action="store_true", help="with larger samples, and all that needs no containers")
    parser.addoption("--update-readme", action="store_true", help="write the output of its commands into README.md")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Use one process where tests share the image of the containers, which takes minutes, or the README they write."""
    return 0 if config.getoption("--update-readme") or _is_for_containers(config) else None


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import the files that `--fast` leaves out."""
    is_left_out = (
        config.getoption("--fast")
        and collection_path.suffix == ".py"
        and _IS_SLOW.search(collection_path.read_text(encoding="utf-8")) is not None
    )
    return is_left_out or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests of other runs, unless they are named one by one."""
    mark_sampled(items)
    if _is_for_containers(config) or all("::" in argument for argument in config.args):
        return
    left_out = list_marks_left_out(config)
    others = {item for item in items if any(mark.name in left_out for mark in item.iter_markers())}
    items[:] = [item for item in items if item not in others]
    config.hook.pytest_deselected(items=list(others))


def _is_for_containers(config: pytest.Config) -> bool:
    return bool(config.getoption("markexpr") == "container")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests recorded under the name "told", also in another process."""
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, text in report.user_properties:
            if name == "told":
                terminalreporter.write_line(str(text))


@pytest.fixture(autouse=True)
def _grades_anew_where_something_is_patched(request: pytest.FixtureRequest) -> Iterator[None]:
    """Keep no report of a test that may patch the grader, and show it none."""
    is_patching = "monkeypatch" in request.fixturenames
    with close_store(request.node.nodeid) if is_patching else contextlib.nullcontext():
        yield


@pytest.fixture(scope="session")
def container_image() -> Iterator[tuple[Docker, str]]:
    """An engine and an image with the grader's environment: made once, for it takes minutes."""
    try:
        with docker_engine() as engine, image_with_environment(engine) as image:
            yield engine, image
    except NoDockerError as error:
        pytest.skip(f"no containers here: {error}")


@pytest.fixture(scope="module")
def zygote() -> Iterator[Zygote]:
    """One zygote for the tests of a file."""
    with Zygote() as running:
        yield running
