"""Which tests fail with known mistakes is kept by the hash of all files that decide it, in a package or a folder."""

from __future__ import annotations

import functools
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.assignment import CAUGHT_ROWS
from autograder.diagnosis import Caught, CaughtBank
from autograder.grading.kept_data import KeptData
from autograder.packaging import add_derived, pack_grader
from autograder.sandbox.protocol.decoder import decode
from autograder.sandbox.protocol.wire import FRAME_LIMIT
from tests.selftest.support.toy_assignment import ASSIGNMENT, BANK

pytestmark = pytest.mark.slow

read = functools.partial(decode, allow_handles=False, allow_exports=False)
ELSEWHERE = replace(ASSIGNMENT, root=Path("/nowhere"))


def keep(memory: Path | None, content_hash: str = "a") -> KeptData:
    """Open what is kept of an assignment whose folder has no file of a package."""
    return KeptData(ELSEWHERE, content_hash, CAUGHT_ROWS, memory)


def test_what_is_added_is_found_by_the_next(tmp_path: Path) -> None:
    keep(tmp_path).add({"rows.wrong": ("test_a", "test_b"), "rows.lost": ()})
    keep(tmp_path).add({"rows.other": ("test_c",)})
    found = keep(tmp_path)
    assert [found.find(f"rows.{name}") for name in ("wrong", "lost", "other", "new")] == [
        ("test_a", "test_b"),
        (),
        ("test_c",),
        None,
    ]


def test_nothing_is_found_where_the_files_are_others(tmp_path: Path) -> None:
    keep(tmp_path).add({"rows.wrong": ("test_a",)})
    assert keep(tmp_path, "b").find("rows.wrong") is None
    assert KeptData(ASSIGNMENT, "a", CAUGHT_ROWS, tmp_path).find("rows.wrong") is None


def test_what_is_too_large_for_a_file_is_made_again(tmp_path: Path) -> None:
    kept = KeptData(ASSIGNMENT, "a", CAUGHT_ROWS, tmp_path)
    kept.add({"rows.wrong": b"x" * FRAME_LIMIT})
    assert len(kept.find("rows.wrong")) == FRAME_LIMIT
    assert KeptData(ASSIGNMENT, "a", CAUGHT_ROWS, tmp_path).find("rows.wrong") is None


def test_a_bank_runs_no_mistake_whose_tests_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = CaughtBank(ASSIGNMENT, "a", tmp_path).load_caught("averages", "glide_step")
    monkeypatch.setattr(CaughtBank, "find_caught", lambda *_: Caught((), ()))
    again = CaughtBank(ASSIGNMENT, "a", tmp_path).load_caught("averages", "glide_step")
    assert [each.caught_by for each in again] == [each.caught_by for each in first] != [()] * len(first)


def test_a_package_has_the_tests_of_all_mistakes(tmp_path: Path) -> None:
    made = add_derived(pack_grader(ASSIGNMENT), ASSIGNMENT, tmp_path)
    _, rows = read(made.files[CAUGHT_ROWS])
    assert rows.keys() == {f"{stem}.{each.id}" for stem in ASSIGNMENT.stems for each in BANK.load(stem)}
    assert all(rows.values())
    assert add_derived(pack_grader(ASSIGNMENT), ASSIGNMENT, None).files == made.files


def test_a_package_is_read_where_its_files_are_those_it_was_made_of(tmp_path: Path) -> None:
    made = add_derived(pack_grader(ASSIGNMENT), ASSIGNMENT, None)
    (tmp_path / CAUGHT_ROWS).parent.mkdir(parents=True)
    (tmp_path / CAUGHT_ROWS).write_bytes(made.files[CAUGHT_ROWS])
    content_hash, _ = read(made.files[CAUGHT_ROWS])
    there = replace(ASSIGNMENT, root=tmp_path)
    assert KeptData(there, content_hash, CAUGHT_ROWS, None).find("averages.glide_late") == ("test_glide_theta",)
    assert KeptData(there, "other", CAUGHT_ROWS, None).find("averages.glide_late") is None
