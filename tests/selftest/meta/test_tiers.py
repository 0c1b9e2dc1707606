"""The tiers: which tests a run has, and how a set is sampled."""

from __future__ import annotations

import pytest

from tests.selftest.support.grading import PROJECT

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
