"""What runs in a process of its own costs nobody else anything: it may not end, eat memory or end its process."""

import os
import time

import numpy as np
import pytest

from autograder.diagnosis import apart
from autograder.diagnosis.apart import run_apart

pytestmark = [pytest.mark.slow, pytest.mark.once]


def compute() -> bytes:
    return b"done"


def never_end() -> bytes:
    while True:
        pass


def eat_memory() -> bytes:
    return np.ones(1 << 34).tobytes()


def end_the_process() -> bytes:
    os._exit(0)


def leave() -> bytes:
    raise SystemExit


def wait() -> bytes:
    time.sleep(60)
    return b"late"


def write_much() -> bytes:
    return bytes(1 << 25)


@pytest.mark.parametrize(
    "work", [never_end, eat_memory, end_the_process, leave, write_much], ids=lambda each: each.__name__
)
def test_work_that_goes_wrong_costs_only_its_own_answer(work: apart.Work) -> None:
    assert list(run_apart([compute, work, compute], cpu_s=1)) == [b"done", None, b"done"]


def test_work_that_waits_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "WALL_PER_CPU", 1)
    assert list(run_apart([wait, compute], cpu_s=1)) == [None, b"done"]


def test_no_work_needs_no_process() -> None:
    assert list(run_apart([], cpu_s=1)) == []


def test_what_the_work_changes_and_prints_stays_there(capfd: pytest.CaptureFixture[str]) -> None:
    changed: list[int] = []

    def change() -> bytes:
        changed.append(1)
        os.write(1, b"printed")
        return b"changed"

    assert list(run_apart([change], cpu_s=1)) == [b"changed"]
    assert changed == []
    assert capfd.readouterr() == ("", "")
