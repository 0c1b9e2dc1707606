"""The tiers: which tests a run has, and how a set is sampled."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.selftest.support.grading import PROJECT
from tests.selftest.support.tiers import sample

pytestmark = pytest.mark.once

pytest_plugins = ("pytester",)
TESTS = """
import pytest

def test_plain(): pass

@pytest.mark.slow
def test_slow(): pass

@pytest.mark.ci
@pytest.mark.slow
def test_of_a_larger_sample(): pass

@pytest.mark.container
def test_in_a_container(): pass

@pytest.mark.slow
@pytest.mark.sampled(second=1)
@pytest.mark.parametrize("number", range(5))
def test_sampled(number): pass
"""
COUNTS = {"--fast": 1, "": 3, "--ci": 8}


@pytest.mark.slow
@pytest.mark.parametrize("option", COUNTS)
def test_a_run_has_its_tests_and_those_of_the_runs_before(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, option: str
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(PROJECT))
    pytester.makepyfile(TESTS)
    done = pytester.runpytest_subprocess("-p", "tests.selftest.conftest", *option.split())
    done.assert_outcomes(passed=COUNTS[option], deselected=9 - COUNTS[option])


def test_the_fast_run_does_not_import_a_file_that_is_marked(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(PROJECT))
    marked = "import pytest\npytestmark = [pytest.mark.once, pytest.mark.slow]\nraise RuntimeError\n"
    pytester.makepyfile(test_plain="def test_plain(): pass\n", test_marked=marked)
    pytester.runpytest_subprocess("-p", "tests.selftest.conftest", "--fast").assert_outcomes(passed=1)


class TestSample:
    CASES = tuple((question, number) for question in ("adam", "sgd", "dropout") for number in range(20))

    def count(self, cases: tuple[tuple[str, int], ...] = CASES, **sizes: int | None) -> tuple[Counter[str], int]:
        """Count the cases of the second command by question, and all those that `--ci` runs."""
        wanted = {"second": 1, "ci": 4, **sizes}
        drawn = sample(cases, by=lambda each: [each[0]], name=lambda each: "-".join(map(str, each)), **wanted)
        return Counter(each.values[0][0] for each in drawn if not each.marks), len(drawn)

    def test_has_each_feature_so_many_times(self) -> None:
        assert self.count() == ({"adam": 1, "sgd": 1, "dropout": 1}, 12)
        assert self.count(ci=None) == ({"adam": 1, "sgd": 1, "dropout": 1}, 60)

    def test_has_few_in_all_where_few_are_enough_and_each_feature_in_ci(self) -> None:
        counts, of_ci = self.count(few=2, ci=1)
        assert (counts.total(), of_ci) == (2, 3)

    def test_has_a_rare_feature_as_often_as_there_is_one(self) -> None:
        assert self.count((*self.CASES, ("rare", 0)))[0]["rare"] == 1
