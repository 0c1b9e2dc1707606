"""Processes: measures one command: wall time, CPU time of all its processes, and their memory."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_SAMPLE_EVERY_S = 0.01


@dataclass(frozen=True)
class Cost:
    """The cost of one run; `cpu_s` counts every process that was waited for."""

    wall_s: float
    cpu_s: float
    output: str


def environment_in(folder: Path) -> dict[str, str]:
    """Build the environment: caches in a folder, one thread of linear algebra, no settings that slow only the peers.

    Python's settings are removed: with PYTHONDONTWRITEBYTECODE plain pytest compiles everything in every run and takes
    twice as long. pytest's plugins, installed for the self-tests, are disabled: they add half as much again.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return {
        **kept,
        "OPENBLAS_NUM_THREADS": "1",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTHONPYCACHEPREFIX": str(folder / "bytecode"),
        "XDG_CACHE_HOME": str(folder),
    }


def run(command: Sequence[str], environment: Mapping[str, str]) -> Cost:
    """Run a command until it ends; RuntimeError if it fails."""
    started = time.perf_counter()
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        assert process.stdout is not None
        output = process.stdout.read().decode()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}:\n{output}")
    return Cost(time.perf_counter() - started, usage.ru_utime + usage.ru_stime, output)


def peak_memory_mib(command: Sequence[str], environment: Mapping[str, str]) -> float:
    """Measure the largest sum of proportional set sizes (PSS) of a command's processes; needs root for workers.

    Shared pages count once. Sampling slows the command down, so nothing else is measured in this run.
    """
    peak = 0.0
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while process.poll() is None:
            peak = max(peak, sum_memory_mib(process.pid))
            time.sleep(_SAMPLE_EVERY_S)
    return peak


def sum_memory_mib(root: int) -> float:
    """Sum the proportional set sizes of a process and all below it."""
    return sum(map(_pss_kib, _tree(root))) / 1024


def read_cpu_s() -> float:
    """Read the CPU time of the children of this process that run, and of all processes that they waited for."""
    ticks = 0
    for pid in _tree(os.getpid())[1:]:
        with contextlib.suppress(OSError):  # it has ended
            after_name = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
            ticks += sum(map(int, after_name[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def _tree(root: int) -> list[int]:
    found = [root]
    for pid in found:
        with contextlib.suppress(OSError):  # it has ended
            for children in list(Path(f"/proc/{pid}/task").glob("*/children")):  # of each thread
                found += map(int, children.read_text(encoding="ascii").split())
    return found


def _pss_kib(pid: int) -> int:
    try:
        match = re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii"), re.MULTILINE)
    except OSError:
        return 0
    return int(match[1]) if match else 0
