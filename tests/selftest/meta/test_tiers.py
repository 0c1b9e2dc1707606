"""The tiers: which tests a run has, how a set is sampled, and the counts that the pages state."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import partial

import pytest

from tests.selftest.support.grading import PROJECT
from tests.selftest.support.tiers import Tier, sample

pytest_plugins = ("pytester",)
TESTS = """
import pytest

def test_plain(): pass

@pytest.mark.slow
def test_slow(): pass

@pytest.mark.ci
@pytest.mark.slow
def test_of_a_larger_sample(): pass

@pytest.mark.exhaustive
def test_of_a_whole_set(): pass

@pytest.mark.container
def test_in_a_container(): pass

@pytest.mark.slow
@pytest.mark.sampled(second=1, ci=3)
@pytest.mark.parametrize("number", range(5))
def test_sampled(number): pass
"""
COUNTS = {"--fast": 1, "": 3, "--ci": 6, "--all": 9}


@pytest.fixture
def run(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Callable[..., pytest.RunResult]:
    """Run TESTS with options and the settings of the self-tests, in a process of its own."""
    monkeypatch.setenv("PYTHONPATH", str(PROJECT))
    pytester.makepyfile(TESTS)
    return partial(pytester.runpytest_subprocess, "-p", "tests.selftest.conftest")


@pytest.mark.ci
@pytest.mark.slow
@pytest.mark.parametrize("option", COUNTS)
def test_a_run_has_its_tests_and_those_of_the_runs_before(run: Callable[..., pytest.RunResult], option: str) -> None:
    done = run(*option.split())
    done.assert_outcomes(passed=COUNTS[option], deselected=10 - COUNTS[option])
    (told,) = re.findall(rf"^selftest ?{option}: {COUNTS[option]} tests in .* left out: (.*)$", done.stdout.str(), re.M)
    assert sum(map(int, re.findall(r"\d+", told))) == 10 - COUNTS[option]


@pytest.mark.slow
def test_two_runs_at_once_are_refused(run: Callable[..., pytest.RunResult]) -> None:
    done = run("--fast", "--all")
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    done.stderr.fnmatch_lines(["*--fast and --all exclude each other: name one"])


class TestSample:
    CASES = tuple((question, number) for question in ("adam", "sgd", "dropout") for number in range(20))

    def count(self, tier: Tier, cases: tuple[tuple[str, int], ...] = CASES, **sizes: int) -> Counter[str]:
        wanted = {"second": 1, "ci": 4, **sizes}
        drawn = sample(cases, by=lambda each: [each[0]], name=lambda each: "-".join(map(str, each)), **wanted)
        marks = {Tier.SECOND: set(), Tier.CI: {"ci"}, Tier.ALL: {"ci", "exhaustive"}}[tier]
        return Counter(each.values[0][0] for each in drawn if {mark.name for mark in each.marks} <= marks)

    def test_has_each_feature_so_many_times(self) -> None:
        assert self.count(Tier.SECOND) == {"adam": 1, "sgd": 1, "dropout": 1}
        assert self.count(Tier.CI) == {"adam": 4, "sgd": 4, "dropout": 4}
        assert self.count(Tier.ALL) == {"adam": 20, "sgd": 20, "dropout": 20}

    def test_has_few_in_all_where_few_are_enough_and_each_feature_in_ci(self) -> None:
        assert self.count(Tier.SECOND, few=2).total() == 2
        assert self.count(Tier.CI, few=2, ci=1) == {"adam": 1, "sgd": 1, "dropout": 1}

    def test_has_a_rare_feature_as_often_as_there_is_one(self) -> None:
        assert self.count(Tier.CI, (*self.CASES, ("rare", 0)))["rare"] == 1


@pytest.mark.slow
def test_the_page_states_how_many_tests_each_run_has(tier_counts: dict[str, int]) -> None:
    page = (PROJECT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `selftest ?([^`]*)` \|.*\| ([\d,]+) \|", page, re.MULTILINE)
    stated = {option: int(count.replace(",", "")) for option, count in rows}
    assert stated == pytest.approx(tier_counts, rel=0.03), "CONTRIBUTING.md states other numbers of tests"
