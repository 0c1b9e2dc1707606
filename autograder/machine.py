"""Machine: counts the processors that a process may use, and hides the names of this machine's folders in texts.

No result shows where it was made: an ImportError names the file of a package, a warning the file that gave it, a
traceback every file. The folders are those of the packages, of Python, of the project, of the user and for temporary
files.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from autograder import ENGINE

# Variables that keep numpy and PyTorch to one thread, if they are set before the import. A fork of a process that has
# computed with several never ends its next computation, and their number changes the last bit of a sum.
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}

_CGROUP = Path("/sys/fs/cgroup")
_PACKAGES, _PYTHON, _PROJECT, _HOME, _TEMPORARY = "<packages>", "<python>", "<project>", "~", "<tmp>"
_FOLDERS_OF_PACKAGES = ("site-packages", "dist-packages")
_NO_MORE: Mapping[str, str] = {}
_CUT_PATH = re.compile(r"/[^\s'\"<>]*$")


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


def hide_paths(text: str, more: Mapping[str, str] = _NO_MORE) -> str:
    """Replace the known folders at the start of paths; `more`: neutral names of other paths."""
    known, pattern = _read_known()
    for path, name in more.items():
        text = re.sub(_match_start(path), lambda _, name=name: name, text)  # type: ignore[misc]
    return pattern.sub(lambda match: known[match.group()], text) if "/" in text else text


def hide_cut_path(text: str) -> str:
    """Replace a path at the end of a text that was cut inside of a known folder's name."""
    known, _ = _read_known()
    found = _CUT_PATH.search(text)
    if found is None or not any(folder.startswith(found.group()) for folder in known):
        return text
    return f"{text[: found.start()]}..."


def hide_all_paths(value: object) -> object:
    """Replace the known folders in every text of a plain value, of lists and tables too; their keys stay."""
    if isinstance(value, str):
        return hide_paths(value)
    if isinstance(value, dict):
        return {key: hide_all_paths(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return list(map(hide_all_paths, value))
    return value


@cache
def _read_known() -> tuple[dict[str, str], re.Pattern[str]]:
    """Return the neutral names by folder, and a pattern that finds the longest folder at the start of a path."""
    known: dict[str, str] = {}
    for folder, name in _list_folders():
        for form in (folder, os.path.realpath(folder)):
            if os.path.isabs(form) and form != os.path.dirname(form):  # no root of a file system
                known.setdefault(form, name)
    longest_first = sorted(known, key=len, reverse=True)
    return known, re.compile("|".join(map(_match_start, longest_first)))


def _match_start(path: str) -> str:
    return rf"(?<![\w.~-]){re.escape(path)}(?![\w-])"


def _list_folders() -> Iterator[tuple[str, str]]:
    for path in sys.path:
        if os.path.basename(path) in _FOLDERS_OF_PACKAGES:
            yield path, _PACKAGES
    yield os.path.dirname(os.__file__), _PYTHON
    # A short prefix such as /usr is no secret, and is the start of paths that have nothing to do with Python.
    for path in (sys.prefix, sys.base_prefix):
        if len(Path(path).parts) > 3:
            yield path, _PYTHON
    for path in (str(ENGINE), *sys.path[:1]):  # the first is the assignment's root
        yield path, _PROJECT
    yield os.path.expanduser("~"), _HOME
    yield "/tmp", _TEMPORARY  # noqa: S108  (only a name)
    with contextlib.suppress(OSError):  # a machine on which nothing can be written
        yield tempfile.gettempdir(), _TEMPORARY
