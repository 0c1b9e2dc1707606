"""The lock files hold what pyproject.toml declares, and bare pytest grades nobody."""

from __future__ import annotations

import re

from tests.selftest.support.project_sources import PROJECT, parse_toml, read_text

DECLARED = parse_toml(read_text(PROJECT / "pyproject.toml"))


def pins(name: str) -> set[str]:
    """The packages of a lock file, each with its version and condition."""
    lines = read_text(PROJECT / name).splitlines()
    return {line.rstrip(" \\") for line in lines if line[:1].isalnum()}


def test_the_self_tests_run_on_what_grades() -> None:
    assert pins("requirements.lock") < pins("requirements-dev.lock")


def test_what_is_declared_is_locked() -> None:
    project = DECLARED["project"]
    for ending, declared in {"": project["dependencies"], **project["optional-dependencies"]}.items():
        locked = {pin.partition("==")[0] for pin in pins(f"requirements{ending and f'-{ending}'}.lock")}
        assert {re.split(r"[<>=]", each)[0] for each in declared} <= locked


def test_bare_pytest_grades_nobody() -> None:
    assert DECLARED["tool"]["pytest"]["ini_options"]["testpaths"] == ["tests/selftest"]
