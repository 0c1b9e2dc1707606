"""Kept points: turns failed tests that known mistakes explain into tests that keep a share of their points.

A known mistake is an item of a rubric: where known mistakes explain all that failed in a function, the function keeps
at least the share of the mistake that keeps least. It is a floor under the points of all its tests together: what is
lacking goes to the failed ones, by what each lost. Tests of robustness, which are explained by themselves, count apart
from the others. A call without a value, and a test that nothing explains, keep nothing.

A general kind of error keeps nothing beside a fundamental mistake in its function. Only kinds that say what the value
is keep points where no test passes: right code with one error inside may compute nothing that the function is for.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from autograder.assignment import PartialCredit, Severity
from autograder.diagnosis.caught_rows import CaughtBank
from autograder.diagnosis.kind_stories import OF_THE_VALUE, WITHOUT_POINTS
from autograder.grading.explain import add_line
from autograder.mistakes import Mistake
from autograder.plain_text import count
from autograder.results import CheckResult, Verdict
from autograder.sandbox.protocol.outcome import OutcomeKind

GENERAL = "general."  # how the name of a kind of error begins that is no mistake of the bank


@dataclass(frozen=True)
class _Share:
    """The share of its points that a test keeps at least, and what its mistake is called in the output."""

    value: float
    title: str


def add_kept_points(
    checks: Sequence[CheckResult],
    bank: CaughtBank,
    credit: PartialCredit,
    *,
    silent: Collection[str],
    settled: Mapping[str, CheckResult] = MappingProxyType({}),
) -> list[CheckResult]:
    """Add the points that failed tests keep to their scores; `silent`: the ids of tests whose outputs stay as they are.

    What a test keeps depends on these `checks` alone, so that those of visible tests rest on visible tests. `settled`:
    results by id that stay as they are, and count with their scores.
    """
    shares = dict(_find_shares(checks, bank, credit))
    functions: dict[tuple[object, ...], list[CheckResult]] = {}
    for check in checks:
        if not check.is_advice:
            together = functions.setdefault((check.stem, check.functions, check.is_robustness), [])
            together.append(settled.get(check.test_id, check))
    kept: dict[str, float] = {}
    for together in functions.values():
        kept |= _divide_floor([each for each in together if _may_count(each)], shares, settled)
    final = [settled.get(check.test_id, check) for check in checks]
    return [
        _keep(each, shares[each.test_id], kept[each.test_id], silent) if kept.get(each.test_id) else each
        for each in final
    ]


def _may_count(check: CheckResult) -> bool:
    """Whether a test counts for the floor of its function: it passed, or each call gave a value."""
    return check.verdict is Verdict.PASSED or check.outcome == OutcomeKind.RETURNED.value


def _divide_floor(
    checks: Sequence[CheckResult], shares: Mapping[str, _Share], settled: Collection[str]
) -> dict[str, float]:
    """Divide what the tests of a function lack to the share of their points that a mistake keeps, by what each lost."""
    lost = {
        each.test_id: each.points - (each.score or 0.0)
        for each in checks
        if each.test_id in shares and each.test_id not in settled
    }
    if not lost:
        return {}
    share = min(shares[test_id].value for test_id in lost)
    lacking = share * sum(each.points for each in checks) - sum(each.score or 0.0 for each in checks)
    part = min(max(lacking, 0.0) / sum(lost.values()), 1.0)
    ends = list(itertools.accumulate(part * each for each in lost.values()))
    return {
        test_id: round(round(end, 2) - round(start, 2), 2)
        for test_id, start, end in zip(lost, [0.0, *ends], ends, strict=False)
    }


def _find_shares(
    checks: Sequence[CheckResult], bank: CaughtBank, credit: PartialCredit
) -> Iterator[tuple[str, _Share]]:
    mistakes: dict[str, Mapping[str, Mistake]] = {}
    for check in checks:
        together = [each for each in checks if _is_lost(each) and _is_beside(each, check)] if _is_lost(check) else []
        if not together or not all(each.diagnosis for each in together):
            continue
        if check.stem not in mistakes:
            mistakes[check.stem] = {mistake.id: mistake for mistake in bank.load(check.stem)}
        names = sorted({name for each in together for name in each.diagnosis})
        of_function = [each for each in checks if _is_of_function(each, check)]
        shares = [_choose_share(mistakes[check.stem][name], credit) for name in names if not name.startswith(GENERAL)]
        if len(shares) < len(names):
            value = _choose_general(names, of_function, mistakes[check.stem], credit)
            shares.insert(0, _Share(value, "an error of a known kind"))
        yield check.test_id, min(shares, key=lambda share: share.value)


def _is_lost(check: CheckResult) -> bool:
    return check.verdict is not Verdict.PASSED and not check.is_advice


def _is_beside(check: CheckResult, other: CheckResult) -> bool:
    return _is_of_function(check, other) and check.is_robustness == other.is_robustness


def _is_of_function(check: CheckResult, other: CheckResult) -> bool:
    return check.stem == other.stem and not set(check.functions).isdisjoint(other.functions)


def _choose_general(
    names: Sequence[str],
    of_function: Sequence[CheckResult],
    mistakes: Mapping[str, Mistake],
    credit: PartialCredit,
) -> float:
    """Choose the share of the general kinds in `names`; `of_function`: all results of the function."""
    passes = any(each.verdict is Verdict.PASSED and not (each.is_advice or each.is_robustness) for each in of_function)
    known = [mistakes[name] for each in of_function for name in each.diagnosis if name in mistakes]
    is_fundamental = any(mistake.severity is Severity.FUNDAMENTAL for mistake in known)
    kinds = {name for name in names if name.startswith(GENERAL)}
    keeps = not is_fundamental and kinds.isdisjoint(WITHOUT_POINTS) and (passes or kinds <= OF_THE_VALUE.keys())
    return credit.general if keeps else 0.0


def _choose_share(mistake: Mistake, credit: PartialCredit) -> _Share:
    share = credit.get_share(mistake.severity) if mistake.keeps is None else mistake.keeps
    return _Share(share, f"a {mistake.severity.value}")


def _keep(check: CheckResult, share: _Share, kept: float, silent: Collection[str]) -> CheckResult:
    score = round((check.score or 0.0) + kept, 2)
    label = f"-{round(check.points - score, 2):g}:"
    be = "is" if check.points == 1 else "are"
    line = f"  {label:9} {share.title}; {score:g} of {count(check.points, 'point')} {be} kept"
    output = check.output if check.test_id in silent else add_line(check.output, line)
    return replace(check, score=score, kept=kept, output=output)
