"""The zygote is killed or stopped between any two messages: it is replaced once, and a test has no score after that."""

import contextlib
import os
import resource
import signal
from collections.abc import Iterator

import pytest

from autograder.sandbox import limits
from autograder.sandbox.host.client import SandboxError, Zygote
from autograder.sandbox.limits import Limits
from tests.selftest.support.fault_injection import (
    BODIES,
    QUICK_BODIES,
    Body,
    FaultBench,
    SignalFault,
    assert_ours,
    assert_passed,
    at_moments,
    find_starter,
    find_zygote,
    simple,
)
from tests.selftest.support.grader_process import Watch, list_descendants

pytestmark = [pytest.mark.slow, pytest.mark.once]

AT_EVERY_MOMENT = at_moments(BODIES, ["starting", "asked", "entering", "entered"])


class TestKilled:
    @pytest.mark.sampled(second=1)
    @AT_EVERY_MOMENT
    def test_it_is_replaced(self, body: Body, point: str) -> None:
        victim = find_starter if point == "asked" else find_zygote
        fault = SignalFault(victim, point=point)
        with FaultBench(fault) as bench:
            assert_passed(bench.judge_body(body))
            assert (fault.left, bench.zygotes) == (0, 2)

    @pytest.mark.sampled(second=1)
    @AT_EVERY_MOMENT
    def test_again_the_test_has_no_score_and_the_next_one_is_judged(self, body: Body, point: str) -> None:
        fault = SignalFault(find_zygote, times=2, point=point)
        with FaultBench(fault) as bench:
            assert_ours(bench.judge_body(body))
            assert_passed(bench.judge_body(simple))
            assert (fault.left, bench.zygotes) == (0, 3)

    def test_after_a_test_its_result_stands(self) -> None:
        with FaultBench(SignalFault(find_zygote, point="ending")) as bench:
            assert_passed(bench.judge_body(simple))
            assert bench.zygotes == 1
            assert_passed(bench.judge_body(simple))
            assert bench.zygotes == 2


class TestStopped:
    @pytest.mark.sampled(second=1)
    @at_moments(QUICK_BODIES)
    def test_it_is_replaced_before_the_next_test(self, body: Body, point: str) -> None:
        fault = SignalFault(find_zygote, number=signal.SIGSTOP, point=point)
        with FaultBench(fault) as bench:
            assert_passed(bench.judge_body(body))
            assert_passed(bench.judge_body(simple))
            assert (fault.left, bench.zygotes) == (0, 2)

    @pytest.mark.sampled(second=1)
    @pytest.mark.parametrize("point", ["starting", "asked"])
    def test_before_a_worker_is_there_again_the_test_has_no_score(
        self, point: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(limits, "ZYGOTE_REPLY_S", 1.0)
        with FaultBench(SignalFault(find_zygote, times=2, number=signal.SIGSTOP, point=point)) as bench:
            assert_ours(bench.judge_body(simple), "does not answer (timed out; it is still running)")

    @pytest.mark.ci
    def test_what_it_says_too_late_is_not_believed(self) -> None:
        with Zygote() as zygote:
            worker = zygote.spawn(Limits(), preload=())
            os.kill(find_zygote(zygote), signal.SIGSTOP)
            zygote._control.settimeout(0.3)
            with pytest.raises(SandboxError, match="timed out"):
                worker.close()
            os.kill(find_zygote(zygote), signal.SIGCONT)
            with pytest.raises(SandboxError, match="failed before"):
                zygote.end(worker._pid)

    def test_it_is_killed_where_it_does_not_end(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(limits, "ZYGOTE_END_S", 0.3)
        with Zygote() as zygote:
            worker = zygote.spawn(Limits(), preload=())
            watch = Watch({find_starter(zygote)} | list_descendants(find_starter(zygote)))
            os.kill(find_zygote(zygote), signal.SIGSTOP)
        assert watch.all_end()
        worker.connection.close()

    def test_the_time_that_it_took_is_nobodys_zero(self) -> None:
        fault = SignalFault(find_zygote, times=10**6, number=signal.SIGSTOP, point="asked")
        with FaultBench(fault, seconds=3.0) as bench:
            results = [bench.judge_body(simple)]
            while "the time for the whole submission" not in results[-1].fault:
                results.append(bench.judge_body(simple))
            for result in results:
                assert_ours(result)
        assert results[-1].fault.endswith("went to a sandbox that failed")


@pytest.mark.sampled(second=2)
@pytest.mark.parametrize("spare", range(5))
def test_no_file_descriptor_at_some_step_leaves_none_open(spare: int) -> None:
    before = os.listdir("/proc/self/fd")
    with _few_more_descriptors(spare), pytest.raises(SandboxError, match="Too many open files"):  # noqa: SIM117
        with Zygote() as zygote:
            zygote.spawn(Limits(), preload=())
    assert os.listdir("/proc/self/fd") == before


@contextlib.contextmanager
def _few_more_descriptors(spare: int) -> Iterator[None]:
    """Let this process open that many files more."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (64 + max(map(int, os.listdir("/proc/self/fd"))), before[1]))
    taken = []
    with contextlib.suppress(OSError):
        while True:
            taken.append(os.open(os.devnull, os.O_RDONLY))
    for _ in range(spare):
        os.close(taken.pop())
    try:
        yield
    finally:
        for descriptor in taken:
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
