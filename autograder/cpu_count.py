"""CPU count: determines how many processors this process may use at the same time, and how many threads it starts."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

# Variables that keep numpy and PyTorch to one thread, if they are set before the import. A fork of a process that has
# computed with several never ends its next computation, and their number changes the last bit of a sum.
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}

_CGROUP = Path("/sys/fs/cgroup")


def count_usable(cgroup: Path = _CGROUP) -> float:
    """Return the number of usable processors; less than one in a small container: 0.5 on Gradescope by default."""
    return min(float(len(os.sched_getaffinity(0))), _read_quota(cgroup))


def count_whole() -> int:
    """Return the useful number of computing processes."""
    return max(1, int(count_usable()))


def _read_quota(cgroup: Path) -> float:
    """Read the CPU quota of a container's control group; infinite if there is none, or it is not understood."""
    with contextlib.suppress(OSError, ValueError):
        granted, period = (cgroup / "cpu.max").read_text(encoding="ascii").split()
        return float("inf") if granted == "max" else int(granted) / int(period)
    with contextlib.suppress(OSError, ValueError, ZeroDivisionError):
        first = cgroup / "cpu"
        granted_us = int((first / "cpu.cfs_quota_us").read_text(encoding="ascii"))
        if granted_us > 0:
            return granted_us / int((first / "cpu.cfs_period_us").read_text(encoding="ascii"))
    return float("inf")
