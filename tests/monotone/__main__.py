"""Command: checks all pairs of known mistakes and of 2,000 mutants, and what mistakes cost."""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from types import ModuleType
from typing import NamedTuple

from autograder import cpu_count
from autograder.assignment import Assignment, Severity, load_assignment
from autograder.contracts.random_cases import list_contracts
from autograder.diagnosis.replay import preserve_global_state
from autograder.grading.collection import collect_hidden_tests
from autograder.matrix import run_bank
from autograder.matrix.adequacy import Task, build_judge
from autograder.matrix.catches import Catch, QuestionCatches
from autograder.mistakes import MistakeBank
from autograder.plain_text import count
from tests.monotone.observed_rows import ObservedVersion, find_exceptions, observe_version

_MUTANTS = 2_000
# The median price of a severity is at most, or at least, this share of the function's points.
_BOUNDS = {Severity.SLIP: ("at most", 0.5), Severity.FUNDAMENTAL: ("at least", 0.8)}


class FunctionReport(NamedTuple):
    """The versions of one function that were compared, and the pairs that are exceptions."""

    name: str
    versions: int
    exceptions: Sequence[tuple[str, str]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Check, print what was found, and return 1 if there is an exception or a median is beyond its bound."""
    options = _parse(arguments)
    assignment = load_assignment(Path())
    tested = dict.fromkeys(stem for stem, _ in list_functions(assignment, assignment.stems))
    stems = [stem for stem in tested if not options.only or stem in options.only]
    reports = list(check_functions(assignment, stems, options.mutants))
    lines = [*_render_pairs(reports)]
    is_fine = not any(each.exceptions for each in reports)
    if not options.pairs:
        questions = run_bank(assignment, only=stems, processes=cpu_count.count_whole())
        lines += render_prices(questions)
        is_fine &= all(map(_is_within, _BOUNDS, [questions] * len(_BOUNDS)))
    print("\n".join(lines))  # noqa: T201  (a command)
    return 0 if is_fine else 1


def list_functions(assignment: Assignment, stems: Sequence[str]) -> list[tuple[str, str]]:
    """List the functions of questions that have contracts, each behind its question."""
    tests = collect_hidden_tests(assignment, stems=stems)
    calls = {stem: [each.call for each in tests if each.test.stem == stem] for stem in stems}
    return [(stem, name) for stem in stems for name in list_contracts(calls[stem])]


def check_functions(assignment: Assignment, stems: Sequence[str], mutants: int) -> Iterator[FunctionReport]:
    """Compare all pairs of known mistakes and of as many `mutants`, spread over the functions, in each function."""
    functions = list_functions(assignment, stems)
    bank = MistakeBank(assignment)
    for place, (stem, function) in enumerate(functions):
        count = mutants // len(functions) + (place < mutants % len(functions))
        versions = list(_observe_function(bank, stem, function, count))
        yield FunctionReport(f"{stem}.{function}", len(versions), find_exceptions(versions))


def _observe_function(bank: MistakeBank, stem: str, function: str, count: int) -> Iterator[ObservedVersion]:
    judge = build_judge(Task(bank.assignment, stem, function, 1, None))
    mutants = judge.list_mutants()
    random.Random(f"{stem}.{function}").shuffle(mutants)  # noqa: S311  (a sample)
    makers = [("the right solution", judge.reference.make_module)]
    makers += [(each.name, lambda each=each: judge.reference.make_module(each.install)) for each in mutants[:count]]
    for mistake in bank.load(stem):
        if mistake.graded_function == function:
            text = bank.build_submission_source(mistake)
            makers.append((mistake.id, lambda text=text: _make_module(stem, text)))
    for name, make in makers:
        with preserve_global_state():
            yield observe_version(name, judge.tests, stem, make)


def _make_module(stem: str, text: str) -> ModuleType:
    module = ModuleType(f"reference.{stem}")
    exec(text, vars(module))  # noqa: S102  (a known mistake of the staff's)
    return module


def _render_pairs(reports: Sequence[FunctionReport]) -> Iterator[str]:
    pairs = sum(each.versions * (each.versions - 1) for each in reports)
    wrong = sum(len(each.exceptions) for each in reports)
    versions = sum(each.versions for each in reports)
    yield f"{versions} versions of {len(reports)} functions, {pairs} pairs: {wrong} exceptions"
    for report in reports:
        for better, worse in report.exceptions:
            yield f"  {report.name}: fewer points than {worse!r}, although no case is worse: {better!r}"


def render_prices(questions: Sequence[QuestionCatches]) -> Iterator[str]:
    """Render the median of the prices of a severity, and the mistakes beyond its bound."""
    for severity, (word, bound) in _BOUNDS.items():
        priced = _list_priced(severity, questions)
        if priced:
            middle = median(one.price for _, one in priced)
            told = f"{severity.value}: {count(len(priced), 'mistake')}, median {middle:.0%}"
            yield f"{told}, should be {word} {bound:.0%}"
        for stem, one in priced:
            if not _holds(severity, one.price):
                yield f"  {stem}.{one.id} {one.price:.0%}: {one.reason or 'no reason in tests/mistakes/prices.toml'}"


def _list_priced(severity: Severity, questions: Sequence[QuestionCatches]) -> list[tuple[str, Catch]]:
    mistakes = ((each.stem, one) for each in questions for one in each.mistakes)
    return [(stem, one) for stem, one in mistakes if one.is_priced and one.severity is severity]


def _holds(severity: Severity, price: float) -> bool:
    word, bound = _BOUNDS[severity]
    return round(price, 3) <= bound if word == "at most" else round(price, 3) >= bound


def _is_within(severity: Severity, questions: Sequence[QuestionCatches]) -> bool:
    priced = _list_priced(severity, questions)
    return not priced or _holds(severity, median(one.price for _, one in priced))


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.monotone", description=__doc__)
    parser.add_argument("--only", nargs="*", default=[], metavar="ID", help="only these questions")
    parser.add_argument("--mutants", type=int, default=_MUTANTS, help="so many mutants, of all functions together")
    parser.add_argument("--pairs", action="store_true", help="compare pairs alone, without what mistakes cost")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
