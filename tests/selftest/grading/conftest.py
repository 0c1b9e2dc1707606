"""The zygote that the tests of a file share, which none of their judges ends."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from autograder.sandbox.host.client import Zygote
from tests.selftest.support.lasting_zygote import open_lasting_zygote


@pytest.fixture(scope="module")
def zygote() -> Iterator[Zygote]:
    """One zygote for the tests of a file."""
    with open_lasting_zygote() as lasting:
        yield lasting
