"""Settings of all self-tests: made-up data is the same in every run, and a slow machine fails nothing."""

import contextlib
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

from autograder.grader import Grader
from autograder.sandbox.host.client import Zygote
from tests.selftest.support.container import image_with_environment
from tests.selftest.support.docker_engine import Docker, NoDockerError, docker_engine
from tests.selftest.support.session_store import close_store, make_store
from tests.selftest.support.tiers import list_marks_left_out, mark_sampled

_MARKS = re.compile(r"^pytestmark = .*$", re.MULTILINE)
_MARK = re.compile(r"\bpytest[.]mark[.](\w+)")

# Hypothesis draws constants of the modules that are imported, other ones where other files are collected.
providers._get_local_constants = lambda: providers._local_constants
for name, count in (("selftest", 40), ("ci", 300)):
    settings.register_profile(name, max_examples=count, derandomize=True, deadline=None, database=None)


def pytest_configure(config: pytest.Config) -> None:
    """Have programs that tests start end by Ctrl-C or a hangup, also if nohup or the background had us ignore these.

    A signal that is ignored stays so in them; one that is handled has its default action.
    """
    settings.load_profile("ci" if config.getoption("--ci") else "selftest")
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
    """Do not even import the files that a run leaves out: such a file says so in one line."""
    if collection_path.suffix != ".py" or _takes_all(config):
        return None
    marks = _MARKS.search(collection_path.read_text(encoding="utf-8"))
    names = _MARK.findall(marks[0]) if marks else ()
    return not list_marks_left_out(config).isdisjoint(names) or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests of other runs, unless they are named one by one."""
    mark_sampled(items)
    if _takes_all(config):
        return
    left_out = list_marks_left_out(config)
    others = {item for item in items if any(mark.name in left_out for mark in item.iter_markers())}
    items[:] = [item for item in items if item not in others]
    config.hook.pytest_deselected(items=list(others))


def _takes_all(config: pytest.Config) -> bool:
    """Tell whether tests are chosen by other words than the runs."""
    return _is_for_containers(config) or all("::" in argument for argument in config.args)


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


@pytest.fixture
def no_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the grader name no mistakes: names give no points, and finding them takes longer than the rest."""
    monkeypatch.setattr(Grader, "_explain_failures", lambda _, seen, unseen, *__: (*seen.checks, *unseen.checks))


@pytest.fixture(scope="session")
def zygote() -> Iterator[Zygote]:
    """One zygote for all tests of a process that harm none: it has a worker for each."""
    with Zygote() as running:
        yield running
