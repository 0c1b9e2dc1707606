"""The gate refuses what is slower than its bound and noise, passes what is not, and says what is wrong with bounds."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from benchmarks.bounds import Bound, BoundsError, State, final_state, read_bounds, sentence, state_of, with_last
from benchmarks.gate import BOUNDS, RATIOS, measured, report
from benchmarks.rounds import estimate

pytestmark = pytest.mark.once

CEILING = Bound(name="cpu", what="CPU time to plain pytest", at_most=3.0, noise=0.1, last=2.9)  # to 3.3
FLOOR = Bound(name="rate", what="submissions a second", at_least=0.5, noise=0.2, last=0.6)  # from 0.4
GOOD = '[cpu]\nwhat = "CPU time"\nat_most = 3.0\nnoise = 0.1\nlast = 2.9\n'


def around(middle: float) -> list[float]:
    """Ratios of a busy machine: off by up to 3 percent."""
    return [middle * (1 + off) for off in (-0.03, 0.01, 0.0, 0.03, -0.01)]


@pytest.mark.parametrize(
    ("bound", "ratios", "state"),
    [
        pytest.param(CEILING, around(2.0), State.WITHIN, id="faster"),
        pytest.param(CEILING, around(3.15), State.WITHIN, id="slower-by-less-than-the-noise"),
        pytest.param(CEILING, around(3.3), State.UNCLEAR, id="at-the-limit"),
        pytest.param(CEILING, around(3.45), State.WORSE, id="slower-by-more-than-the-noise"),
        pytest.param(CEILING, [9.0] * 2, State.UNCLEAR, id="two-rounds-are-too-few"),
        pytest.param(CEILING, [9.0] * 3, State.WORSE, id="three-rounds-are-enough"),
        pytest.param(CEILING, [2.9, 3.0, 9.0, 2.8, 3.1, 2.9, 3.0], State.WITHIN, id="one-slow-round"),
        pytest.param(FLOOR, around(0.9), State.WITHIN, id="more"),
        pytest.param(FLOOR, around(0.43), State.WITHIN, id="fewer-by-less-than-the-noise"),
        pytest.param(FLOOR, around(0.37), State.WORSE, id="fewer-by-more-than-the-noise"),
    ],
)
def test_a_ratio_is_judged_by_bound_and_noise(bound: Bound, ratios: list[float], state: State) -> None:
    assert state_of(bound, ratios) is state


def test_at_the_end_the_median_decides() -> None:
    unclear = [3.0, 3.2, 3.29, 3.4, 3.6]
    assert state_of(CEILING, unclear) is State.UNCLEAR
    assert final_state(CEILING, unclear) is State.WITHIN
    assert final_state(CEILING, [ratio + 0.02 for ratio in unclear]) is State.WORSE


def test_what_is_worse_is_named_with_its_numbers() -> None:
    told = sentence(CEILING, estimate([3.5, 3.6, 3.7]), rounds=3)
    assert told.startswith("cpu: CPU time to plain pytest is 3.60 (3.50 to 3.70 in 3 rounds)")
    assert told.endswith("it may be at most 3, with 10% of noise 3.30; last 2.9")
    assert "at least 0.5, with 20% of noise 0.40" in sentence(FLOOR, estimate([0.1]), rounds=1)


class TestRounds:
    """Sources that are measured anew while one of their ratios is not clear."""

    @staticmethod
    def rounds_of(ratios: Callable[[int], float], *, seconds: int) -> int:
        """How many rounds there are of a source, one a second."""
        clock, number = count(), count()
        sources = [(["cpu"], lambda: {"cpu": ratios(next(number))})]
        return len(measured(sources, [CEILING], is_time_left=lambda: next(clock) < seconds)["cpu"])

    @pytest.mark.parametrize("ratio", [2.0, 5.0])
    def test_three_are_enough_where_it_is_clear(self, ratio: float) -> None:
        assert self.rounds_of(lambda _: ratio, seconds=100) == 3

    def test_there_are_more_until_it_is_clear(self) -> None:
        rounds = self.rounds_of(lambda number: 4.0 if number == 1 else 2.0, seconds=100)
        assert 3 < rounds < 20

    def test_there_are_no_more_when_the_time_is_over(self) -> None:
        assert self.rounds_of(lambda number: 2.0 + 3 * (number % 2), seconds=5) == 8

    def test_what_is_clear_or_not_judged_is_not_measured_again(self) -> None:
        sources = [(["cpu"], lambda: {"cpu": 2.0}), (["rate"], lambda: {"rate": 0.4})]
        found = measured(sources, [CEILING], is_time_left=lambda: True)
        assert {name: len(ratios) for name, ratios in found.items()} == {"cpu": 3, "rate": 3}


def test_the_report_has_a_line_for_each_ratio() -> None:
    _, cpu, rate = report([CEILING, FLOOR], [CEILING], {"cpu": [4.0] * 3, "rate": [0.1] * 3}).splitlines()
    assert cpu.split() == ["cpu", "4.00", "(4.00-4.00)", "<=", "3", "3.30", "2.90", "3", "WORSE"]
    assert rate.endswith("not judged without --wall")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (GOOD.replace("3.0", "3.0.0"), r"bounds\.toml: .*line 3"),
        ("", r"bounds\.toml: \[cpu\] is missing"),
        (f"{GOOD}[luck]\n{GOOD.partition(']')[2]}", r"bounds\.toml: \[luck\] is not measured"),
        ("cpu = 3\n", "must be a mapping, not int"),
        (GOOD.replace("at_most = 3.0\n", ""), "cpu: it should have one of at_most and at_least"),
        (f"{GOOD}at_least = 1\n", "cpu: it should have one of at_most and at_least"),
        (GOOD.replace("noise", "noize"), "noize\n  Extra inputs are not permitted"),
        (GOOD.replace("3.0", "nan"), "at_most\n  Input should be a finite number"),
        (GOOD.replace("2.9", "true"), "last\n  Input should be a valid number"),
        (GOOD.replace("0.1", "10"), "noise\n  Input should be less than 1"),
    ],
)
def test_a_wrong_file_is_explained(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "bounds.toml").write_text(text, encoding="utf-8")
    with pytest.raises(BoundsError, match=message):
        read_bounds(tmp_path / "bounds.toml", ["cpu"])


def test_what_was_measured_is_written_to_its_own_place() -> None:
    both = f"{GOOD}\n[rate]\nlast = 1\n"
    assert with_last(both, "cpu", 2.714) == both.replace("2.9", "2.71")
    assert with_last(both, "rate", 2.714) == both.replace("last = 1", "last = 2.71")


def test_the_projects_file_is_good() -> None:
    names = [name for names in RATIOS.values() for name in names]
    bounds = read_bounds(BOUNDS, names)
    assert sorted(bound.name for bound in bounds) == sorted(names)
    assert [bound.name for bound in bounds if bound.at_least] == ["class_rate"]
