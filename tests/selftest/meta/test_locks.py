"""The lock files hold what pyproject.toml declares, and bare pytest grades nobody."""

from __future__ import annotations

import re
import sys

from tests.selftest.support.project_sources import PROJECT, read_text

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def pins(name: str) -> set[str]:
    """The packages of a lock file, each with its version and condition."""
    lines = read_text(PROJECT / name).splitlines()
    return {line.rstrip(" \\") for line in lines if line[:1].isalnum()}


def test_the_self_tests_run_on_what_grades() -> None:
    assert pins("requirements.lock") < pins("requirements-dev.lock")


def test_what_is_declared_is_locked() -> None:
    project = tomllib.loads(read_text(PROJECT / "pyproject.toml"))["project"]
    for declared, lock in (
        (project["dependencies"], "requirements.lock"),
        (project["optional-dependencies"]["cluster"], "requirements-cluster.lock"),
        (project["optional-dependencies"]["dev"], "requirements-dev.lock"),
        (project["optional-dependencies"]["docs"], "requirements-docs.lock"),
    ):
        wanted = {re.split(r"[<>=]", each)[0] for each in declared}
        assert wanted <= {pin.partition("==")[0] for pin in pins(lock)}


def test_bare_pytest_grades_nobody() -> None:
    tool = tomllib.loads(read_text(PROJECT / "pyproject.toml"))["tool"]
    assert tool["pytest"]["ini_options"]["testpaths"] == ["tests/selftest"]
