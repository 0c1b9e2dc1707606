"""The zygote that the tests of a file share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from autograder.sandbox.host.client import Zygote


@pytest.fixture(scope="module")
def zygote() -> Iterator[Zygote]:
    """One zygote for the tests of a file."""
    with Zygote() as running:
        yield running
