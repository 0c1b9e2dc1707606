"""Gate: ends with 1 if a ratio is worse than its bound in bounds.toml by more than the noise.

python -m benchmarks.gate [--wall] [--seconds N] [--write]

No absolute times: each round measures both sides of a ratio one after the other. If it is not clear yet on which side
of the limit a ratio is, it gets more rounds until the time is up. Wall time depends on other load of the machine and is
only judged with --wall.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from benchmarks.bounds import Bound, BoundsError, State, final_state, read_bounds, sentence, state_of, with_last
from benchmarks.classes import REGRESS, RIGHT, Class, class_of
from benchmarks.graders import GRADESCOPE, HELP, OURS, PYTEST, PYTHON, grade_commands, start_commands
from benchmarks.processes import Cost, environment_in, peak_memory_mib, run
from benchmarks.rounds import estimate
from benchmarks.wrong_work import WRONG, wrong_rivals

BOUNDS = Path(__file__).with_name("bounds.toml")
RATIOS = {
    "grade": ("grade_cpu", "grade_wall"),
    "memory": ("grade_memory",),
    "help": ("help_cpu", "help_wall"),
    "class": ("class_cpu", "class_rate"),
    "wrong": ("wrong_cpu",),
}
_ON_THE_CLOCK = {"grade_wall", "help_wall", "class_rate"}
_FIRST_ROUNDS = 3
_STARTS = 4  # starts of a program that takes milliseconds, per round
_CLASS, _JOBS = 4, 2
_WRONG = ("loops for ever", "has every sign wrong")  # endless, and wrong everywhere: those that cost most of each

Ratios = dict[str, float]
Round = Callable[[], Ratios]


def main() -> None:
    """Measure and print the ratios; exit with 1 if a ratio is worse, with 2 if bounds.toml is invalid."""
    options = _options()
    try:
        bounds = read_bounds(BOUNDS, [name for names in RATIOS.values() for name in names])
    except BoundsError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    judged = [bound for bound in bounds if options.wall or bound.name not in _ON_THE_CLOCK]
    with tempfile.TemporaryDirectory() as folder:
        environment = environment_in(Path(folder))
        with class_of(_CLASS, jobs=_JOBS, environment=environment) as submissions:
            sources = _sources(environment, Path(folder) / "results", submissions)
            end = time.monotonic() + options.seconds
            found = measured(sources, judged, is_time_left=lambda: time.monotonic() < end)
    print(report(bounds, judged, found))
    if options.write:
        _write(found)
    worse = [bound for bound in judged if final_state(bound, found[bound.name]) is State.WORSE]
    for bound in worse:
        print(sentence(bound, estimate(found[bound.name]), len(found[bound.name])), file=sys.stderr)
    sys.exit(1 if worse else 0)


def measured(
    sources: Sequence[tuple[Sequence[str], Round]], judged: Sequence[Bound], *, is_time_left: Callable[[], bool]
) -> dict[str, list[float]]:
    """Return the ratios of all rounds; a source is measured again while one of its ratios is not clear."""
    found: dict[str, list[float]] = {name: [] for names, _ in sources for name in names}
    for number in range(sys.maxsize):
        unclear = {bound.name for bound in judged if state_of(bound, found[bound.name]) is State.UNCLEAR}
        again = [source for names, source in sources if number < _FIRST_ROUNDS or unclear.intersection(names)]
        if not again or (number >= _FIRST_ROUNDS and not is_time_left()):
            break
        for source in again:
            for name, ratio in source().items():
                found[name].append(ratio)
    return found


def report(bounds: Sequence[Bound], judged: Sequence[Bound], found: Mapping[str, Sequence[float]]) -> str:
    """Render a line for each ratio."""
    lines = [f"{'':14}{'measured':>9}{'':16}{'bound':>8}{'limit':>7}{'last':>7}{'rounds':>8}"]
    for bound in bounds:
        ratios = found[bound.name]
        middle = estimate(ratios)
        state = final_state(bound, ratios).value if bound in judged else "not judged without --wall"
        if bound in judged and state_of(bound, ratios) is State.UNCLEAR:
            state += ", but not clear"
        spread = f" ({middle.low:.2f}-{middle.high:.2f})"
        side = "<=" if bound.at_most else ">="
        numbers = f"{side:>4}{bound.value:4.2g}{bound.limit:7.2f}{bound.last:7.2f}{len(ratios):8}"
        lines.append(f"{bound.name:14}{middle.middle:9.2f}{spread:16}{numbers}  {state}")
    return "\n".join(lines)


def _sources(environment: Mapping[str, str], results: Path, submissions: Class) -> list[tuple[Sequence[str], Round]]:
    grading = grade_commands(RIGHT, results)
    pytest, ours = grading[PYTEST], grading[OURS]
    for command in (ours, pytest):
        run(command, environment)  # fills caches, among them that of the checks, which the peers read
    rounds: dict[str, Round] = {
        "grade": partial(_grade, pytest, ours, environment),
        "memory": partial(_memory, pytest, ours, environment),
        "help": partial(_help, environment),
        "class": partial(_class, submissions),
        "wrong": partial(_wrong, wrong_rivals(results.with_name("wrong"), environment)),
    }
    return [(RATIOS[name], each) for name, each in rounds.items()]


def _grade(pytest: list[str], ours: list[str], environment: Mapping[str, str]) -> Ratios:
    base, cost = run(pytest, environment), run(ours, environment)
    return {"grade_cpu": cost.cpu_s / base.cpu_s, "grade_wall": cost.wall_s / base.wall_s}


def _memory(pytest: list[str], ours: list[str], environment: Mapping[str, str]) -> Ratios:
    return {"grade_memory": peak_memory_mib(ours, environment) / peak_memory_mib(pytest, environment)}


def _help(environment: Mapping[str, str]) -> Ratios:
    commands = start_commands()
    pairs = [(run(commands[PYTHON], environment), run(commands[HELP], environment)) for _ in range(_STARTS)]
    return {
        "help_cpu": sum(cost.cpu_s for _, cost in pairs) / sum(base.cpu_s for base, _ in pairs),
        "help_wall": sum(cost.wall_s for _, cost in pairs) / sum(base.wall_s for base, _ in pairs),
    }


def _class(submissions: Class) -> Ratios:
    base, cost = submissions.cost(GRADESCOPE), submissions.cost(REGRESS)
    return {"class_cpu": cost.cpu_s / base.cpu_s, "class_rate": base.wall_s / cost.wall_s}


def _wrong(rivals: Mapping[str, Callable[[], Cost]]) -> Ratios:
    pairs = [(rivals[WRONG[name].question_id](), rivals[name]()) for name in _WRONG]
    return {"wrong_cpu": max(cost.cpu_s / base.cpu_s for base, cost in pairs)}


def _write(found: Mapping[str, Sequence[float]]) -> None:
    text = BOUNDS.read_text(encoding="utf-8")
    for name, ratios in found.items():
        text = with_last(text, name, estimate(ratios).middle)
    BOUNDS.write_text(text, encoding="utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.gate", description="Fail if a ratio is worse than its bound."
    )
    parser.add_argument("--wall", action="store_true", help="judge ratios of wall time too")
    parser.add_argument("--seconds", type=float, default=300, help="start no more rounds after this time")
    parser.add_argument("--write", action="store_true", help="write the measurements to bounds.toml as `last`")
    return parser.parse_args()


if __name__ == "__main__":
    main()
