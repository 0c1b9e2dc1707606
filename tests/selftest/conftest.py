"""Settings of all self-tests: made-up data is the same in every run, and a slow machine fails nothing."""

import contextlib
import signal
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from autograder.sandbox.host.client import Zygote
from tests.selftest.support.container import image_with_environment
from tests.selftest.support.docker_engine import Docker, NoDockerError, docker_engine
from tests.selftest.support.session_store import close_store, make_store
from tests.selftest.support.tiers import (
    OPTIONS,
    Tier,
    choose_tier,
    count_left_out,
    count_tiers,
    mark_sampled,
    split_by_tier,
)

HERE = Path(__file__).parent
CONTENT = ("content",)  # tests of this repository's course; all others grade the toy, and run in a tree without it
# Files and folders of which most tests start sandboxes, command lines or containers; elsewhere a test is marked alone.
SLOW = (
    "assignments",
    "docker",
    "faults",
    "packaging",
    "public_checks",
    "questions",
    "walks",
    "cli/test_cold_start.py",
    "cli/test_main.py",
    "cli/test_run_autograder.py",
    "contracts/test_objects.py",
    "diagnosis/test_diagnosis.py",
    "diagnosis/test_kept_points.py",
    "diagnosis/test_kept_rows.py",
    "explanation/test_explanation.py",
    "grading/test_helper_files.py",
    "grading/test_judge.py",
    "grading/test_leaderboard.py",
    "grading/test_lines_run.py",
    "grading/test_non_interference.py",
    "grading/test_two_zygotes.py",
    "grading/test_reply_memory.py",
    "grading/test_reproducer.py",
    "grading/test_script_runner.py",
    "grading/test_shared_worker.py",
    "grading/test_statement_load.py",
    "grading/test_supplied_functions.py",
    "grading/test_written_questions.py",
    "matrix/test_drawn_contract.py",
    "meta/test_benchmarks.py",
    "meta/test_leaks.py",
    "meta/test_readme.py",
    "meta/test_site.py",
    "meta/test_writing_checks.py",
    "regression/test_class_run.py",
    "regression/test_cluster.py",
    "regression/test_incremental_run.py",
    "regression/test_report.py",
    "sandbox/test_clean_state.py",
    "sandbox/test_client.py",
    "sandbox/test_hostile.py",
    "sandbox/test_hostile_as_user.py",
    "sandbox/test_known_layers.py",
    "sandbox/test_launcher.py",
    "sandbox/test_layers.py",
    "sandbox/test_libraries.py",
    "sandbox/test_misbehaviour.py",
    "sandbox/test_refused_syscalls.py",
    "sandbox/test_warm_up.py",
    "sandbox/test_wire_fuzz.py",
    "test_doctor.py",
    "test_grader.py",
    "test_machine_paths.py",
)

# Files of which every promise is one of other tests too: larger samples, and the same for other assignments.
LARGER = (
    "assignments",
    "content/questions",
    "content/test_broken_uploads.py",
)

# Tests of texts and of what commands write, of rules of judging and of formats, of faults of the machine, and the banks
# of wrong answers. Everything else runs on each Python: the grader, the sandbox, the references, and the examples,
# whose results must be the recorded ones. The result of a mistake then depends on numpy: the lock has one version.
ONCE = (
    "assignments",
    "checks",
    "cli/test_main.py",
    "content/cli",
    "content/explanation",
    "content/grading/test_credit.py",
    "content/grading/test_kept_checks.py",
    "content/grading/test_reproducer.py",
    "content/grading/test_written_questions.py",
    "content/matrix",
    "content/packaging",
    "content/public_checks",
    "content/similarity",
    "content/test_broken_uploads.py",
    "content/test_general_kinds.py",
    "content/test_mistakes.py",
    "content/test_naming.py",
    "content/test_own_gradients.py",
    "content/test_prerequisites.py",
    "content/test_refused_calls.py",
    "content/test_scripts_change_nothing.py",
    "content/test_second_wordings.py",
    "content/test_wrong_answers.py",
    "diagnosis/test_diagnosis.py",
    "docker/test_run.py",
    "explanation",
    "faults",
    "gradescope",
    "grading/test_judge.py",
    "grading/test_leaderboard.py",
    "grading/test_lines_run.py",
    "grading/test_needs.py",
    "grading/test_non_interference.py",
    "grading/test_two_zygotes.py",
    "grading/test_reply_memory.py",
    "grading/test_supplied_functions.py",
    "grading/test_waiting.py",
    "grading/test_written_questions.py",
    "matrix",
    "meta",
    "packaging/test_gradescope_zip.py",
    "packaging/test_handout.py",
    "public_checks/test_check.py",
    "public_checks/test_processes.py",
    "questions",
    "regression",
    "sandbox/test_hostile_as_user.py",
    "sandbox/test_refused_syscalls.py",
    "sandbox/test_wire_fuzz.py",
    "submission/test_zip_archive.py",
    "test_doctor.py",
    "test_machine_paths.py",
    "walks/test_assistant.py",
    "walks/test_instructor.py",
)

settings.register_profile("selftest", derandomize=True, deadline=None, database=None)
settings.load_profile("selftest")


_LEFT_OUT = "left out"
_STARTED = pytest.StashKey[float]()
_COUNTS = pytest.StashKey[dict[str, int]]()
_TIERS = pytest.StashKey[dict[str, int]]()


def pytest_configure(config: pytest.Config) -> None:
    """Have programs that tests start end by Ctrl-C or a hangup, also if nohup or the background had us ignore these.

    A signal that is ignored stays so in them; one that is handled has its default action.
    """
    config.stash[_STARTED] = time.monotonic()
    config.stash[_COUNTS] = {}
    store = contextlib.ExitStack()
    store.enter_context(make_store())
    config.add_cleanup(store.close)
    for number in (signal.SIGINT, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda *_: None)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the flags of the self-tests."""
    parser.addoption(OPTIONS[Tier.FAST], action="store_true", help="leave out what is marked slow or content")
    parser.addoption(OPTIONS[Tier.CI], action="store_true", help="with larger samples of mistakes, attacks and others")
    parser.addoption(OPTIONS[Tier.ALL], action="store_true", help="with everything that runs outside of containers")
    parser.addoption("--update-readme", action="store_true", help="write the output of its commands into README.md")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Use one process where tests share the image of the containers, which takes minutes, or the README they write."""
    return 0 if config.getoption("--update-readme") or _is_for_containers(config) else None


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import the files that `--fast` leaves out."""
    return (config.getoption(OPTIONS[Tier.FAST]) and _is_in(collection_path, CONTENT + SLOW)) or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark tests by their folder or file, and leave out those of later tiers, unless they are named one by one.

    Tests in containers have a mark of their own.
    """
    for item in items:
        for mark, parts in (("content", CONTENT), ("slow", SLOW), ("ci", LARGER), ("once", ONCE)):
            is_elsewhere = mark == "slow" and item.get_closest_marker("container") is not None
            if _is_in(item.path, parts) and not is_elsewhere:
                item.add_marker(mark)
    mark_sampled(items)
    config.stash[_TIERS] = count_tiers(items)
    if _is_for_containers(config) or all("::" in argument for argument in config.args):
        return
    items[:], left_out = split_by_tier(items, choose_tier(config))
    config.hook.pytest_deselected(items=left_out)
    config.stash[_COUNTS] = count_left_out(left_out)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Tell the process that started this one what it left out; all of them collect the same."""
    if (told := getattr(session.config, "workeroutput", None)) is not None:
        told[_LEFT_OUT] = session.config.stash[_COUNTS]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take what a process left out."""
    node.config.stash[_COUNTS] = getattr(node, "workeroutput", {}).get(_LEFT_OUT, {})


def _is_for_containers(config: pytest.Config) -> bool:
    return bool(config.getoption("markexpr") == "container")


@cache
def _is_in(path: Path, parts: tuple[str, ...]) -> bool:
    return any(path.is_relative_to(HERE / part) for part in parts)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print what tests recorded under the name "told", also in another process, and what this run was."""
    ended = terminalreporter.getreports("passed") + terminalreporter.getreports("failed")
    for text in (text for report in ended for name, text in report.user_properties if name == "told"):
        terminalreporter.write_line(str(text))
    seconds = time.monotonic() - config.stash[_STARTED]
    left_out = "; ".join(f"{count:,} {reason}" for reason, count in config.stash[_COUNTS].items()) or "nothing"
    name = f"selftest {OPTIONS.get(choose_tier(config), '')}".strip()
    terminalreporter.write_line(f"{name}: {len(ended):,} tests in {seconds:.0f} s; left out: {left_out}")


@pytest.fixture(autouse=True)
def _grades_anew_where_something_is_patched(request: pytest.FixtureRequest) -> Iterator[None]:
    """Keep no report of a test that may patch the grader, and show it none."""
    is_patching = "monkeypatch" in request.fixturenames
    with close_store(request.node.nodeid) if is_patching else contextlib.nullcontext():
        yield


@pytest.fixture
def tier_counts(pytestconfig: pytest.Config) -> dict[str, int]:
    """How many tests each run has, by its option; skips where only a part of them was collected."""
    is_whole = pytestconfig.args == pytestconfig.getini("testpaths") and not pytestconfig.getoption("ignore")
    if not is_whole or pytestconfig.getoption(OPTIONS[Tier.FAST]):
        pytest.skip("counts the tests where all of them are collected")
    return pytestconfig.stash[_TIERS]


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
