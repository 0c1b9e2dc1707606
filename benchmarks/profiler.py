"""Profiler: measures how the time of one graded submission is spent, and writes a short text to keep.

python -m benchmarks.profiler [--label NAME]

Writes profiles/DATE-NAME.txt: CPU time by process, imports, and the grader's own functions. The conclusions are written
by hand; an existing text keeps its last part. Profiling makes a run slower, so each part has its own run: compare
shares, and times only within the same part.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import pstats
import re
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import datetime, timezone
from pathlib import Path

from benchmarks.classes import RIGHT
from benchmarks.graders import program
from benchmarks.processes import environment_in, run

_FOLDER = Path(__file__).with_name("profiles")
_LEARNED = "What was learned"
_FUNCTIONS, _PACKAGES, _MODULES = 16, 8, 6
_IMPORT_RUNS = 3
# Wraps the program inside the grader's process; argv: the file to write to, then the program and its arguments.
_WRAPPER = """
import cProfile, json, os, resource, runpy, sys, time
path, main, end = sys.argv[1], os.getpid(), os._exit
profile = cProfile.Profile(time.thread_time) if path.endswith("profile") else None
def tell():
    if os.getpid() == main and profile:
        profile.dump_stats(path)
    elif os.getpid() == main:
        used = resource.getrusage(resource.RUSAGE_SELF)
        with open(path, "w") as file:
            json.dump([used.ru_utime, used.ru_stime, used.ru_minflt], file)
os._exit = lambda status: (tell(), end(status))
sys.argv[:] = sys.argv[2:]
if profile:
    profile.enable()
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
finally:
    tell()
"""


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.profiler", description="Profile one graded submission.")
    parser.add_argument("--label", default="now")
    label, today = parser.parse_args().label, datetime.now(timezone.utc).date().isoformat()
    path = _FOLDER / f"{today}-{label}.txt"
    with tempfile.TemporaryDirectory() as folder:
        parts = list(_parts(Path(folder), f"{today}, {label}"))
    path.write_text("\n\n".join([*parts, _learned(path)]) + "\n", encoding="utf-8")
    print(f"written to {path}; write its last part by hand")


def _parts(folder: Path, title: str) -> Iterator[str]:
    environment = environment_in(folder)
    arguments = ["grade", str(RIGHT), "--results", str(folder / "results")]
    run(program(*arguments), environment)  # fills caches
    yield _header(title)
    yield _by_process(arguments, folder, environment)
    yield _imports(arguments, environment)
    yield _functions(arguments, folder, environment)


def _header(title: str) -> str:
    machine = f"{os.cpu_count()} cores, Python {platform.python_version()}, Linux {platform.release()}"
    return "\n".join(
        [
            f"Profile of one graded submission: {title}",
            f"Machine: {machine}, user {os.getuid()}, load {os.getloadavg()[0]:.1f}",
            "Command: run_autograder grade examples/right",
            "Made by: python -m benchmarks.profiler",
        ]
    )


def _inside(output: Path, arguments: list[str]) -> list[str]:
    """Build the command of the grader, wrapped in what writes to a file."""
    python, isolated, *rest = program(*arguments)
    return [python, isolated, "-c", _WRAPPER, str(output), *rest]


def _by_process(arguments: list[str], folder: Path, environment: Mapping[str, str]) -> str:
    output = folder / "usage.json"
    cost = run(_inside(output, arguments), environment)
    user_s, system_s, faults = json.loads(output.read_text(encoding="utf-8"))
    others_s = cost.cpu_s - user_s - system_s
    return "\n".join(
        [
            "Processor time, without profiling",
            f"{cost.cpu_s:8.2f} s  all processes; {cost.wall_s:.2f} s on the clock",
            f"{user_s + system_s:8.2f} s  grader: {user_s:.2f} user, {system_s:.2f} system, {faults} page faults",
            f"{others_s:8.2f} s  zygote and workers",
        ]
    )


def _imports(arguments: list[str], environment: Mapping[str, str]) -> str:
    runs = [_import_times(arguments, environment) for _ in range(_IMPORT_RUNS)]
    own_ms = {name: min(each.get(name, spent) for each in runs) for name, spent in runs[0].items()}
    packages: dict[str, float] = defaultdict(float)
    for name, spent in own_ms.items():
        packages[name.partition(".")[0]] += spent
    title = f"Imports of the grader: {sum(own_ms.values()):.0f} ms, {len(own_ms)} modules (-X importtime, least of 3)"
    lines = [f"{spent:9.1f} ms  {name}, all of it" for name, spent in _largest(packages, _PACKAGES)]
    return "\n".join(
        [title, *lines, *(f"{spent:9.1f} ms  {name} itself" for name, spent in _largest(own_ms, _MODULES))]
    )


def _import_times(arguments: list[str], environment: Mapping[str, str]) -> dict[str, float]:
    """Measure the import time of each module without its own imports, in milliseconds."""
    python, isolated, *rest = program(*arguments)
    command = [python, isolated, "-X", "importtime", *rest]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    found = re.findall(r"^import time:\s+(\d+) \|\s+\d+ \|\s+(\S+)$", done.stderr, re.MULTILINE)
    return {name: int(own) / 1000 for own, name in found}


def _largest(of: Mapping[str, float], count: int) -> list[tuple[str, float]]:
    return sorted(of.items(), key=lambda item: -item[1])[:count]


def _functions(arguments: list[str], folder: Path, environment: Mapping[str, str]) -> str:
    output = folder / "grader.profile"
    run(_inside(output, arguments), environment)
    stats = pstats.Stats(str(output)).stats  # type: ignore[attr-defined]
    rows = sorted(stats.items(), key=lambda row: -row[1][2])
    total = sum(own for _, (_, _, own, _, _) in rows)
    lines = [
        f"Functions of the grader's main thread: {total:.2f} s of processor time (cProfile)",
        "   own s    all s    calls",
    ]
    for location, (_, calls, own, cumulative, _) in rows[:_FUNCTIONS]:
        lines.append(f"{own:8.3f} {cumulative:8.3f} {calls:8}  {_format_location(location)}")
    return "\n".join(lines)


def _format_location(location: tuple[str, int, str]) -> str:
    path, line, name = location
    return name[:70] if path == "~" else f"{'/'.join(Path(path).parts[-2:])}:{line} {name}"


def _learned(path: Path) -> str:
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    kept = text.partition(f"\n{_LEARNED}\n")[2].strip("\n")
    return f"{_LEARNED}\n{kept or '  (not yet written)'}"


if __name__ == "__main__":
    main()
