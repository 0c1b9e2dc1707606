"""Trace: turns perf's record of one run into CPU time and page faults of each process, and of the workers by stage.

Needs root and a kernel with tracepoints; TraceError otherwise. A worker's stages begin with system calls that each
worker makes once, so that the grader needs no changes.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import NamedTuple

_FORK, _SWITCH, _FAULT = "sched:sched_process_fork", "sched:sched_switch", "page-faults"
_CONFINED = "syscalls:sys_enter_seccomp"  # only workers call it
_FORKED = "fork, until it runs its first line"
# The first of each kind of event begins a stage.
STAGES = {
    "syscalls:sys_enter_openat": "its first lines, until it asks for a message",
    "syscalls:sys_enter_recvfrom": "the first message, and the imports it names",
    "syscalls:sys_enter_setsid": "entering the layers",
    _CONFINED: "the student's file and its calls",
    "signal:signal_deliver": "its end",
}
_EXEC = "sched:sched_process_exec"
_LINE = re.compile(r"\s*(\d+)/(\d+)\s+([\d.]+):\s+([\w:-]+):\s?(.*)")


class TraceError(Exception):
    """perf cannot trace on this machine; the text says why."""


class Event(NamedTuple):
    """One line of perf: process and thread, time, event."""

    process: int
    thread: int
    time_s: float
    name: str
    text: str


Amounts = Mapping[int, Mapping[str, float]]  # by process and stage
Measure = Callable[[Iterable[Event], "set[int]"], Amounts]


@dataclass(frozen=True)
class Stage:
    """One stage of all workers: the median per worker, and the sum."""

    name: str
    median: float
    total: float


@dataclass(frozen=True)
class Trace:
    """Amounts by role (grader, zygote, workers, others), and of the workers by stage: milliseconds or page faults."""

    workers: int
    by_role: Mapping[str, float]
    stages: Sequence[Stage]


def traced(command: Sequence[str], environment: Mapping[str, str], folder: Path) -> tuple[Trace, Trace]:
    """Run the command twice; return traces of CPU time in milliseconds, and of page faults."""
    times = _record(["-a", "-e", _SWITCH], command, environment, folder)  # -a: needed to see when other processes run
    faults = _record(["-e", _FAULT, "-c", "1"], command, environment, folder)
    return trace_of(times, command[0], milliseconds), trace_of(faults, command[0], page_faults)


def trace_of(events: Sequence[Event], program: str, measure: Measure) -> Trace:
    """Add up the amounts of the first process that starts the program, and of all its descendants."""
    root = next(event.process for event in events if event.name == _EXEC and f"filename={program} " in event.text)
    parents = dict(_forks(events))
    family = {root, *(process for process in parents if root in _ancestors(process, parents))}
    workers = {event.process for event in events if event.name == _CONFINED and event.process in family}
    zygotes = {parents[process] for process in workers}
    amounts = measure(events, family)
    by_role: dict[str, float] = defaultdict(float)
    for process, taken in amounts.items():
        is_of = {"grader": {root}, "zygote": zygotes, "workers": workers}
        role = next((name for name, processes in is_of.items() if process in processes), "others")
        by_role[role] += sum(taken.values())
    stages = []
    for name in _STAGE_NAMES:
        each = [amounts[process].get(name, 0) for process in workers if process in amounts]
        stages.append(Stage(name, median(each or [0]), sum(each)))
    return Trace(len(workers), by_role, stages)


def page_faults(events: Iterable[Event], family: set[int]) -> Amounts:
    """Count page faults."""
    amounts, stages = _no_amounts(), _Stages()
    for event in events:
        stages.see(event)
        if event.name == _FAULT and event.process in family:
            amounts[event.process][stages.of(event.process)] += 1
    return amounts


def milliseconds(events: Iterable[Event], family: set[int]) -> Amounts:
    """Measure how long the threads ran on a processor."""
    amounts, stages = _no_amounts(), _Stages()
    owner, since = {process: process for process in family}, dict[int, float]()
    for event in events:
        if event.process in family:
            owner[event.thread] = event.process
            if event.thread in since:
                taken_s = event.time_s - since.pop(event.thread)
                amounts[event.process][stages.of(event.process)] += taken_s * 1000
            stages.see(event)
        if event.name == _SWITCH:
            following = int(re.findall(r"next_pid=(\d+)", event.text)[0])
            if following in owner:
                since[following] = event.time_s
        elif event.process in family:
            since[event.thread] = event.time_s
    return amounts


def _no_amounts() -> defaultdict[int, defaultdict[str, float]]:
    return defaultdict(lambda: defaultdict(float))


_STAGE_NAMES = (_FORKED, *STAGES.values())
_STAGE_NUMBERS = {name: number for number, name in enumerate(STAGES, 1)}


class _Stages:
    """The current stage of each process."""

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}

    def see(self, event: Event) -> None:
        """Advance to the stage that the event begins, never back."""
        self._numbers[event.process] = max(_STAGE_NUMBERS.get(event.name, 0), self._numbers.get(event.process, 0))

    def of(self, process: int) -> str:
        """Return the name of a process's stage."""
        return _STAGE_NAMES[self._numbers.get(process, 0)]


def _forks(events: Iterable[Event]) -> Iterator[tuple[int, int]]:
    """Yield processes and their parents; new threads are listed too, without effect."""
    for event in events:
        if event.name == _FORK:
            yield int(re.findall(r"child_pid=(\d+)", event.text)[0]), event.process


def _ancestors(process: int, parents: Mapping[int, int]) -> Iterator[int]:
    while process in parents:
        process = parents[process]
        yield process


def _record(what: Sequence[str], command: Sequence[str], environment: Mapping[str, str], folder: Path) -> list[Event]:
    perf = shutil.which("perf")
    if perf is None:
        raise TraceError("perf is not installed")
    data = str(folder / "perf.data")
    marks = [word for name in (_FORK, _EXEC, *STAGES) for word in ("-e", name)]
    _run([perf, "record", "-q", "-o", data, *what, *marks, "--", *command], environment)
    lines = _run([perf, "script", "-i", data, "--ns", "-F", "pid,tid,time,event,trace"], environment).splitlines()
    found = map(_LINE.match, lines)
    return [Event(int(line[1]), int(line[2]), float(line[3]), line[4], line[5]) for line in found if line]


def _run(command: Sequence[str], environment: Mapping[str, str]) -> str:
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise TraceError(done.stderr.strip().partition("\n")[0] or f"perf ended with {done.returncode}")
    return done.stdout
