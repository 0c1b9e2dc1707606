"""Profiler: measures how the time of one graded submission is spent, and writes a short text to keep.

python -m benchmarks.profiler [--label NAME]

Writes profiles/DATE-NAME.txt: CPU time by process, costs of workers by stage (perf, as root), imports, and the grader's
own functions. The conclusions are written by hand; an existing text keeps its last part. Profiling makes a run slower,
so each part has its own run: compare shares, and times only within the same part.
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
from benchmarks.trace import Trace, TraceError, traced

_FOLDER = Path(__file__).with_name("profiles")
_LEARNED = "What was learned"
_FUNCTIONS, _PACKAGES, _MODULES = 16, 8, 6
_IMPORT_RUNS = 3
# Wraps the program inside the grader's process; argv: the file to write to, then the program and its arguments.
_USAGE = """
import json, os, resource, runpy, sys
path, main, end = sys.argv[1], os.getpid(), os._exit
def tell():
    if os.getpid() == main:
        used = resource.getrusage(resource.RUSAGE_SELF)
        with open(path, "w") as file:
            json.dump([used.ru_utime, used.ru_stime, used.ru_minflt], file)
os._exit = lambda status: (tell(), end(status))
sys.argv[:] = sys.argv[2:]
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
finally:
    tell()
"""
_PROFILE = """
import cProfile, os, runpy, sys, time
path, main, end = sys.argv[1], os.getpid(), os._exit
profile = cProfile.Profile(time.thread_time)
def leave(status):
    if os.getpid() == main:
        profile.dump_stats(path)
    end(status)
os._exit = leave
sys.argv[:] = sys.argv[2:]
profile.enable()
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
finally:
    profile.disable()
    profile.dump_stats(path)
"""


def main() -> None:
    """Measure and write."""
    today = datetime.now(timezone.utc).date().isoformat()
    parser = argparse.ArgumentParser(prog="python -m benchmarks.profiler", description="Profile one graded submission.")
    parser.add_argument("--label", default="now")
    parser.add_argument("--date", default=today)
    options = parser.parse_args()
    _FOLDER.mkdir(exist_ok=True)
    path = _FOLDER / f"{options.date}-{options.label}.txt"
    with tempfile.TemporaryDirectory() as folder:
        parts = list(_parts(Path(folder), f"{options.date}, {options.label}"))
    path.write_text("\n\n".join([*parts, _learned(path)]) + "\n", encoding="utf-8")
    print(f"written to {path}; write its last part by hand")


def _parts(folder: Path, title: str) -> Iterator[str]:
    environment = environment_in(folder)
    arguments = ["grade", str(RIGHT), "--results", str(folder / "results")]
    run(program(*arguments), environment)  # fills caches
    yield _header(title)
    yield _by_process(arguments, folder, environment)
    yield _by_stage(arguments, folder, environment)
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


def _inside(code: str, output: Path, arguments: list[str]) -> list[str]:
    """Build the command of the grader, wrapped in code."""
    python, isolated, *rest = program(*arguments)
    return [python, isolated, "-c", code, str(output), *rest]


def _by_process(arguments: list[str], folder: Path, environment: Mapping[str, str]) -> str:
    output = folder / "usage.json"
    cost = run(_inside(_USAGE, output, arguments), environment)
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


def _by_stage(arguments: list[str], folder: Path, environment: Mapping[str, str]) -> str:
    title = "Processes and stages of workers: processor ms, page faults (perf)"
    try:
        times, faults = traced(program(*arguments), environment, folder)
    except TraceError as error:
        return f"{title}\n  not measured: {error}"
    return "\n".join([title, *_role_lines(times, faults), *_stage_lines(times, faults)])


def _role_lines(times: Trace, faults: Trace) -> Iterator[str]:
    for role in ("grader", "zygote", "workers", "others"):
        label = f"{times.workers} workers" if role == "workers" else role
        yield f"{times.by_role.get(role, 0):9.0f}{faults.by_role.get(role, 0):9.0f}  {label}"


def _stage_lines(times: Trace, faults: Trace) -> Iterator[str]:
    yield f"{'of all':>18}{'of one, median':>18}"
    for time, fault in zip(times.stages, faults.stages, strict=True):
        yield f"{time.total:9.0f}{fault.total:9.0f}{time.median:9.2f}{fault.median:9.0f}  {time.name}"


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
    run(_inside(_PROFILE, output, arguments), environment)
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
