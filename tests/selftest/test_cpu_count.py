"""Tests of the count of processors: what a process may use of the machine's."""

import os
from pathlib import Path

import pytest

from autograder import machine


def test_a_container_may_have_less_than_the_machine(tmp_path: Path) -> None:
    (tmp_path / "cpu.max").write_text("50000 100000\n")
    assert machine.count_usable(tmp_path) == 0.5


@pytest.mark.parametrize(("usable", "whole"), {0.5: 1, 1.0: 1, 1.9: 1, 2.0: 2, 16.0: 16}.items())
def test_a_part_of_one_is_not_worth_a_process(monkeypatch: pytest.MonkeyPatch, usable: float, whole: int) -> None:
    monkeypatch.setattr(machine, "count_usable", lambda: usable)
    assert machine.count_whole() == whole


def test_also_by_the_older_kind_of_control_group(tmp_path: Path) -> None:
    (tmp_path / "cpu").mkdir()
    (tmp_path / "cpu" / "cpu.cfs_quota_us").write_text("75000\n")
    (tmp_path / "cpu" / "cpu.cfs_period_us").write_text("100000\n")
    assert machine.count_usable(tmp_path) == 0.75


@pytest.mark.parametrize("text", ["max 100000\n", "", "no number\n", "1 0 0\n"])
def test_else_what_this_process_may_run_on(tmp_path: Path, text: str) -> None:
    (tmp_path / "cpu.max").write_text(text)
    assert machine.count_usable(tmp_path) == len(os.sched_getaffinity(0))
