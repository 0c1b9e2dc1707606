"""The data of derived checks is kept by the hash of what it was made from, and made again where that is not known."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest

from autograder.assignment import DERIVED_CHECKS
from autograder.contracts import CheckBody, Contract
from autograder.grading.hidden_test import HiddenTest, HiddenTestError, RunnableTest
from autograder.grading.identity import identify_grader
from autograder.grading.kept_data import KeptChecks
from autograder.results import Visibility
from autograder.sandbox.limits import Need
from autograder.sandbox.protocol import wire
from autograder.sandbox.protocol.decoder import decode
from tests.selftest.contracts.toy_contracts import BLEND, PICK, SEED
from tests.selftest.support.toy_assignment import ASSIGNMENT

IDENTITY = identify_grader(ASSIGNMENT)
ELSEWHERE = replace(ASSIGNMENT, root=Path("/nowhere"))
QUESTION_ID = "averages"


def need_one(*_: object) -> Need:
    """Need one callback in each test."""
    return Need(1, cpu_s=1)


def start(memory: Path | None, *, measure: Any = need_one, **changes: Any) -> Sequence[RunnableTest]:
    """Collect two tests, and one that is written by hand, as at a new start."""
    rows = {"blend": BLEND.everywhere(), "pick": PICK.gradient_check()}
    calls = {name: CheckBody(each, seed=SEED) for name, each in rows.items()}
    tests = [_make_test(name, call) for name, call in calls.items()] + [_make_test("by_hand", lambda student: None)]
    return KeptChecks(ELSEWHERE, replace(IDENTITY, **changes), memory, measure).give(tests)


def _make_test(name: str, call: Any) -> RunnableTest:
    described = HiddenTest(
        f"test_{QUESTION_ID}.py::{name}", QUESTION_ID, (), name, "1.1", 1.0, Visibility.VISIBLE, None
    )
    return RunnableTest(described, call)


def list_kept(tests: Sequence[RunnableTest]) -> list[bytes]:
    """The bytes that each test was given."""
    return [test.call.kept for test in tests if isinstance(test.call, CheckBody)]


@pytest.fixture
def forgets(monkeypatch: pytest.MonkeyPatch) -> None:
    """No contract derives anything from here on."""

    def refuse(*_: object) -> NoReturn:
        raise AssertionError("derived again")

    for contract in (BLEND, PICK):
        contract._derived.clear()
    monkeypatch.setattr(Contract, "_derive", refuse)


def test_the_second_start_derives_nothing(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    first = [test.call.derived.programs for test in start(tmp_path)[:2]]  # type: ignore[attr-defined]
    request.getfixturevalue("forgets")
    again = [test.call.derived.programs for test in start(tmp_path)[:2]]  # type: ignore[attr-defined]
    assert [len(each) for each in again] == [len(each) for each in first]


def test_where_the_file_would_be_too_large_programs_are_left_out_first(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = KeptChecks(ELSEWHERE, IDENTITY, None, need_one)
    kept.make(start(None))

    def list_parts(most: int) -> list[tuple[bool, bool]]:
        """Whether the check and the programs of each test are in a file of at most so many bytes."""
        monkeypatch.setattr(wire, "FRAME_LIMIT", most)
        _, values = decode(kept.encode())
        return [(bool(values[name][0]), bool(values[name][2])) for name in values if not name.endswith("by_hand")]

    size = len(kept.encode())
    assert list_parts(size) == [(True, True)] * 2
    assert list_parts(size - 1) == [(True, False)] * 2
    assert list_parts(200) == []


def test_what_the_right_solution_needs_is_measured_once(tmp_path: Path) -> None:
    found = {"blend": Need(1, cpu_s=1), "pick": Need(2, cpu_s=0), "by_hand": None}
    tests = start(tmp_path, measure=lambda test, _: found[test.test.name])
    assert [each.test.need for each in tests] == list(found.values())
    assert [each.test.need for each in start(tmp_path, measure=None)] == list(found.values())
    assert [each.test.need for each in start(tmp_path, content_hash="other")] == [need_one()] * 3
    assert [each.test.need for each in start(None)] == [None] * 3


@pytest.mark.parametrize("change", [{"content_hash": "other"}, {"numpy": "9.9"}], ids=["files", "numpy"])
def test_other_files_or_another_numpy_are_derived_anew(tmp_path: Path, change: dict[str, str]) -> None:
    start(tmp_path)
    (file,) = tmp_path.iterdir()
    before = file.read_bytes()
    assert all(list_kept(start(tmp_path, **change)))
    assert file.read_bytes() != before


def test_the_files_of_assignments_that_were_used_last_stay(tmp_path: Path) -> None:
    start(tmp_path)
    (used,) = tmp_path.iterdir()
    others = [tmp_path / f"derived-checks-{number}.bin" for number in range(40)]
    for place, file in enumerate([used, *others]):
        file.touch()
        os.utime(file, (place, place))
    start(tmp_path)
    start(tmp_path, content_hash="other")
    assert set(tmp_path.iterdir()) == {used, *others[9:]}


def test_the_folder_is_made_for_its_user_alone(tmp_path: Path) -> None:
    """So that what others may not have written is read there, such as the layers that hold."""
    before = os.umask(0o002)
    try:
        start(tmp_path / "memory")
    finally:
        os.umask(before)
    assert (tmp_path / "memory").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("content", [b"", b"x", b"\xff" * 99])
def test_a_file_that_cannot_be_read_is_made_anew(tmp_path: Path, content: bytes) -> None:
    kept = list_kept(start(tmp_path))
    (file,) = tmp_path.iterdir()
    file.write_bytes(content)
    assert list_kept(start(tmp_path)) == kept
    assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("of_folder", [False, True], ids=["file", "folder"])
def test_what_others_can_write_to_is_not_believed(tmp_path: Path, of_folder: bool) -> None:
    start(tmp_path)
    (file,) = tmp_path.iterdir()
    (tmp_path if of_folder else file).chmod(0o722)
    found = {"blend": Need(3, cpu_s=1), "pick": Need(3, cpu_s=1), "by_hand": None}
    assert [each.test.need for each in start(tmp_path, measure=lambda test, _: found[test.test.name])] == [
        *found.values()
    ]


def test_bytes_that_are_no_check_are_derived_anew(tmp_path: Path) -> None:
    (test, *_) = start(tmp_path)
    assert isinstance(test.call, CheckBody)
    test.call.kept = b"x"
    assert len(test.call.derived.programs) > 10


def test_a_package_is_read_where_its_files_are_those_it_was_made_of(tmp_path: Path, monkeypatch: Any) -> None:
    kept = KeptChecks(ELSEWHERE, IDENTITY, None, need_one)
    tests = start(None)
    kept.make(tests)
    there = replace(ASSIGNMENT, root=tmp_path)
    (tmp_path / DERIVED_CHECKS).parent.mkdir(parents=True)
    (tmp_path / DERIVED_CHECKS).write_bytes(kept.encode())
    given = KeptChecks(there, IDENTITY, None, need_one).give(tests)
    assert all(list_kept(tests))
    assert [each.test.need for each in given] == [need_one()] * 3
    KeptChecks(there, replace(IDENTITY, content_hash="other"), None, need_one).give(tests)
    assert list_kept(tests) == [b"", b""]


def test_a_contract_that_cannot_be_kept_is_told_with_its_test(tmp_path: Path) -> None:
    contract = Contract(
        lambda x, dtype: x.astype(dtype),
        "x: (N,), dtype: any -> out",
        draw={"dtype": lambda known, rng, style: np.float32},
    )
    test = _make_test("cast", CheckBody(contract.ordinary(), seed=SEED))
    with pytest.raises(
        HiddenTestError, match=rf"^test_{QUESTION_ID}\.py::cast: .*: dtype is the type float32, which cannot cross"
    ):
        KeptChecks(ELSEWHERE, IDENTITY, tmp_path, need_one).give([test])
