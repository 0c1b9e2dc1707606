"""Workers of two zygotes never share a user, in one container or in several."""

import os
from contextlib import ExitStack

import pytest

from autograder.sandbox.host import launcher

HOST = "         0          0 4294967295\n"
ROOTLESS = "         0       1000          1\n         1     100000      65536\n"
ONE_USER = "      1000       1000          1\n"


@pytest.mark.parametrize(
    ("ids", "at_least", "after", "before"),
    [
        (HOST, 2**27 + 1, 1_879_048_191, 2**31),  # after the last id assigned to containers
        (ROOTLESS, 1000, 10_000, 65_530),
        (ONE_USER, 0, 0, 0),
    ],
    ids=["host", "container with few ids", "container with one user"],
)
def test_a_system_gives_the_ids_that_nobody_has(ids: str, at_least: int, after: int, before: int) -> None:
    free = launcher.find_free_uids(ids)
    assert len(free) >= at_least
    assert all(after < uid < before for uid in (*free[:1], *free[-1:]))


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a user away")
def test_an_id_is_given_once_until_its_holder_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launcher, "_FREE_UIDS", range(0x70000000, 0x70000001))
    with ExitStack() as first, ExitStack() as second:
        assert launcher.claim_uid(first) == 0x70000000
        assert launcher.claim_uid(second) is None
        first.close()
        assert launcher.claim_uid(second) == 0x70000000
