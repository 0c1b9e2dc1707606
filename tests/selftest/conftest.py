"""Settings of all self-tests: made-up data is the same in every run, and a slow machine fails nothing."""

import pytest
from hypothesis import settings

settings.register_profile("selftest", derandomize=True, deadline=None, database=None)
settings.load_profile("selftest")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the flag that writes what commands print into the README instead of comparing it."""
    parser.addoption("--update-readme", action="store_true", help="write the output of its commands into README.md")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests recorded under the name "told", also those that ran in another process."""
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for text in (text for name, text in report.user_properties if name == "told"):
            terminalreporter.write_line(str(text))
