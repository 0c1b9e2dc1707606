"""The store of single questions: what it gives back, and what it refuses."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from autograder.regression.question_store import (
    KEPT_S,
    QuestionResult,
    QuestionStore,
    encode_result,
    remove_unused,
)
from autograder.results import LeaderboardEntry, Verdict, Visibility
from tests.selftest.support import reports

pytestmark = pytest.mark.once

KEY, OTHER = "0f" * 32, "1e" * 32
STEM = "algebra"


def build(**changes: Any) -> QuestionResult:
    """Build a result with every kind of field."""
    checks = (
        reports.failed("FAIL é\udc80\n\x00", diagnosis=("sign",), replaced=("f",), seconds=0.1 + 0.2),
        reports.check(
            number="1.2",
            visibility=Visibility.AFTER_DUE_DATE,
            verdict=Verdict.PARTIAL,
            leaderboard=LeaderboardEntry(name="speed", value=0.5, order="asc"),
        ),
    )
    fields: dict[str, Any] = {
        "key": KEY,
        "run": "earlier",
        "status": reports.question(notes=("is empty",), keys={"a": "b.c"}),
        "checks": checks,
        "texts": (),
        "beside": (KEY,),
    }
    return QuestionResult(**{**fields, **changes})


@pytest.fixture
def store(tmp_path: Path) -> QuestionStore:
    """A store with one result."""
    made = QuestionStore([tmp_path / "questions"], "earlier")
    made.save(build())
    return QuestionStore([tmp_path / "questions"], "now")


def get_path(store: QuestionStore, key: str = KEY) -> Path:
    """Return the path of a result."""
    return store.folders[0] / f"{key}.json"


def test_a_result_comes_back_unchanged(store: QuestionStore) -> None:
    assert store.find(KEY, STEM) == build()
    assert store.find(OTHER, STEM) is None
    assert store.refused == []
    assert QuestionStore(store.folders, "earlier").find(KEY, STEM) is None  # a run does not find its own results


@pytest.mark.parametrize(
    "check",
    [reports.check(points=2, score=2), reports.check(seconds=float("nan")), reports.check(output=b"bytes")],
    ids=["whole numbers", "NaN", "bytes"],
)
def test_a_result_that_json_cannot_carry_unchanged_is_left_out(tmp_path: Path, check: Any) -> None:
    store = QuestionStore([tmp_path / "questions"], "earlier")
    store.save(build(checks=(check,)))
    assert not (tmp_path / "questions").exists()
    assert store.refused == []


def edit(**changes: Any) -> bytes:
    """Return the bytes of a result with other fields."""
    return json.dumps({**asdict(build()), **changes}).encode() + b"\n"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (encode_result(build())[:-9], "is not valid"),
        (b"[" * 100_000, "is not valid"),
        (b"\xff\xfe", "is not valid"),
        (edit(checks=[{"test_id": "x"}]), "is not valid"),
        (edit(status={**asdict(reports.question()), "points": "4"}), "fields or values that"),
        (edit(more=1), "fields or values that"),
        (edit(checks=[{**asdict(reports.check()), "verdict": "perfect"}]), "is not valid"),
        (edit(checks=[{**asdict(reports.check()), "score": float("inf")}]), "is not valid"),
        (edit(key=OTHER), "of something else"),
        (edit(status=asdict(reports.question(stem="botany"))), "of something else"),
        (edit(checks=[asdict(reports.check(stem="botany"))]), "of something else"),
        (b" " * (16 << 20) + encode_result(build()), "larger than 16 MiB"),
    ],
)
def test_a_damaged_or_foreign_file_is_no_result_and_is_named(store: QuestionStore, data: bytes, reason: str) -> None:
    get_path(store).write_bytes(data)
    assert store.find(KEY, STEM) is None
    (refused,) = store.refused
    assert KEY in refused
    assert reason in refused


def replace_by_link(path: Path) -> None:
    """Put a link to the file in its place."""
    path.rename(path.with_name("elsewhere"))
    path.symlink_to(path.with_name("elsewhere"))


def replace_by_folder(path: Path) -> None:
    """Put a folder in the place of the file."""
    path.unlink()
    path.mkdir()


def replace_by_pipe(path: Path) -> None:
    """Put a pipe in the place of the file."""
    path.unlink()
    os.mkfifo(path)


@pytest.mark.parametrize(
    ("harm", "reason"),
    [
        (lambda path: path.chmod(0o620), "can write to it"),
        (lambda path: path.chmod(0o602), "can write to it"),
        (lambda path: path.parent.chmod(0o777), "can write to it"),
        (replace_by_link, "symbolic link"),
        (lambda path: replace_by_link(path.parent), "not a regular file"),
        (replace_by_folder, "Is a directory"),
        (replace_by_pipe, "not a regular file"),
        pytest.param(
            lambda path: os.chown(path, 12_345, -1),
            "another user owns it",
            marks=pytest.mark.skipif(os.getuid() != 0, reason="only root can give a file away"),
        ),
    ],
    ids=["group", "others", "folder", "link", "linked folder", "no file", "pipe", "owner"],
)
def test_a_file_that_others_may_have_written_is_not_read(
    store: QuestionStore, harm: Callable[[Path], None], reason: str
) -> None:
    harm(get_path(store))
    assert store.find(KEY, STEM) is None
    assert reason in store.refused[0]


def test_a_result_of_the_baseline_is_kept_beside_the_run(store: QuestionStore, tmp_path: Path) -> None:
    both = QuestionStore([tmp_path / "new", *store.folders], "now")
    assert both.find(KEY, STEM) == build()
    assert QuestionStore([tmp_path / "new"], "now").find(KEY, STEM) == build()
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700
    (tmp_path / "new" / f"{KEY}.json").write_bytes(b"{")  # does not hide it
    assert both.find(KEY, STEM) == build()
    assert len(both.refused) == 1


def test_a_folder_that_cannot_be_written_to_costs_nothing_but_time(tmp_path: Path) -> None:
    (tmp_path / "questions").write_text("in the way")
    store = QuestionStore([tmp_path / "questions"], "now")
    store.save(build())
    assert "cannot be written" in store.refused[0]


def test_an_unfinished_file_is_never_under_a_results_name(
    store: QuestionStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", stop)
    with pytest.raises(KeyboardInterrupt):
        store.save(build(key=OTHER))
    assert [path.name for path in store.folders[0].iterdir()] == [f"{KEY}.json"]


def test_results_without_use_are_removed_after_a_while(store: QuestionStore, tmp_path: Path) -> None:
    store.save(build(key=OTHER))
    folder = store.folders[0]
    (folder / "notes.txt").write_text("not ours")
    past = time.time() - KEPT_S - 60
    for path in folder.iterdir():
        os.utime(path, (past, past))
    store.find(KEY, STEM)
    (folder / f".{OTHER}.json-abcd_123").write_text("of a run that was killed just now")
    remove_unused(folder)
    assert sorted(path.name for path in folder.iterdir()) == [f"{KEY}.json", "notes.txt"]
    remove_unused(tmp_path / "missing")
