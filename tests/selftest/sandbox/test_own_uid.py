"""Workers of two zygotes never share a user, in one container or in several."""

from __future__ import annotations

import os
from contextlib import ExitStack

import pytest

from autograder.sandbox.host import launcher
from autograder.sandbox.protocol.messages import NO_UID

HOST = "         0          0 4294967295\n"
ROOTLESS = "         0       1000          1\n         1     100000      65536\n"
ONE_USER = "      1000       1000          1\n"


def test_an_ordinary_system_gives_unassigned_ids() -> None:
    free = launcher.find_free_uids(HOST)
    assert len(free) > 2**27
    assert free.start > 1_879_048_191  # the last id assigned to containers
    assert free.stop < 2**31


def test_a_container_with_few_ids_gives_its_upper_ones() -> None:
    free = launcher.find_free_uids(ROOTLESS)
    assert len(free) >= 1000
    assert free.start > 10_000
    assert free.stop < 65_530


def test_a_container_with_one_user_gives_none() -> None:
    assert len(launcher.find_free_uids(ONE_USER)) == 0


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a user away")
def test_an_id_is_given_once_until_its_holder_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launcher, "_FREE_UIDS", range(0x70000000, 0x70000001))
    with ExitStack() as first, ExitStack() as second:
        assert launcher.claim_uid(first) == 0x70000000
        assert launcher.claim_uid(second) == NO_UID
        first.close()
        assert launcher.claim_uid(second) == 0x70000000
