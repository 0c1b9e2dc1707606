"""A trace is told by process and stage: who ran when, between which system calls."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.trace import Event, TraceError, milliseconds, page_faults, trace_of, traced

FORK, EXEC, SWITCH = "sched:sched_process_fork", "sched:sched_process_exec", "sched:sched_switch"
OPEN, CONFINED, KILLED = "syscalls:sys_enter_openat", "syscalls:sys_enter_seccomp", "signal:signal_deliver"
OTHERS, GRADER, THREAD, ZYGOTE, WORKER = 1, 10, 11, 20, 30


def event(who: int, time_ms: float, name: str, text: str = "", *, thread: int | None = None) -> Event:
    """Something that a process did."""
    return Event(who, thread or who, time_ms / 1000, name, text)


STARTS = [
    event(OTHERS, 0, EXEC, "filename=/bin/other pid=1"),
    event(GRADER, 0, EXEC, "filename=/bin/python pid=10"),
    event(GRADER, 1, FORK, "comm=python pid=10 child_comm=python child_pid=20"),
    event(ZYGOTE, 3, FORK, "comm=python pid=20 child_comm=python child_pid=30"),
]


def test_processor_time_is_what_lies_between_switches() -> None:
    events = [
        *STARTS[:3],
        event(GRADER, 2, SWITCH, "prev_pid=10 ==> next_pid=20"),  # the grader ran 2 ms
        STARTS[3],
        event(ZYGOTE, 4, SWITCH, "prev_pid=20 ==> next_pid=30"),  # the zygote 2
        event(WORKER, 7, OPEN),  # the worker 3 before its first line
        event(WORKER, 8, SWITCH, "prev_pid=30 ==> next_pid=1"),  # and 1 after it
        event(OTHERS, 50, OPEN),
        event(OTHERS, 60, SWITCH, "prev_pid=1 ==> next_pid=30"),
        event(WORKER, 65, CONFINED),  # 5 more, until it is confined
        event(WORKER, 66, OPEN),  # a stage does not begin twice
        event(WORKER, 72, KILLED),  # 7 with the student's file
        event(WORKER, 73, SWITCH, "prev_pid=30 ==> next_pid=1"),
    ]
    found = trace_of(events, "/bin/python", milliseconds)
    assert found.by_role == pytest.approx({"grader": 2, "zygote": 2, "workers": 17})
    assert found.workers == 1
    assert [stage.total for stage in found.stages] == pytest.approx([3, 6, 0, 0, 7, 1])


def test_a_second_thread_is_the_process_too() -> None:
    events = [
        *STARTS,
        event(GRADER, 5, OPEN, thread=THREAD),
        event(GRADER, 9, SWITCH, "prev_pid=11 ==> next_pid=1", thread=THREAD),
        event(OTHERS, 20, SWITCH, "prev_pid=1 ==> next_pid=11"),
        event(GRADER, 23, SWITCH, "prev_pid=11 ==> next_pid=1", thread=THREAD),
    ]
    assert trace_of(events, "/bin/python", milliseconds).by_role["grader"] == pytest.approx(1 + 4 + 3)


def test_page_faults_are_counted_by_stage() -> None:
    faults = [event(WORKER, 4, "page-faults")] * 3
    events = [*STARTS, *faults, event(WORKER, 5, OPEN), *faults[:2], event(WORKER, 6, CONFINED), *faults[:1]]
    found = trace_of([*events, event(OTHERS, 7, "page-faults")], "/bin/python", page_faults)
    assert [stage.median for stage in found.stages] == [3, 2, 0, 0, 1, 0]
    assert found.by_role == {"workers": 6}


def test_it_is_said_why_there_is_no_trace(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(TraceError, match="perf is not installed"):
        traced(["true"], {}, tmp_path)
    perf = tmp_path / "perf"
    perf.write_text("#!/bin/sh\necho no permission >&2\nexit 255\n", encoding="utf-8")
    perf.chmod(0o755)
    with pytest.raises(TraceError, match="no permission"):
        traced(["true"], {}, tmp_path)
