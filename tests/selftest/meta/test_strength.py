"""The measure of the self-tests: its edits change one place each, and it counts what tests catch, and nothing else."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.selftest.support.toy_assignment import PROJECT
from tests.strength.__main__ import refuse_other_texts, summarise
from tests.strength.edits import EDITS, PACKAGES, EngineEdit, choose_edits, read_equivalent, replace_body
from tests.strength.runs import Copy, Outcome, Settings

BEFORE = """\
def add(one: int, other: int) -> int:
    # a comment that stays
    if one:
        total: int = one + other  # a note
        return total
    return other
"""
TESTS = """\
from autograder.checks.sums import add

def test_of_something_else(): assert add(0, 2) == 3
def test_sum(): assert add(1, 2) == 3
"""


def make_edit(old: str, new: str) -> EngineEdit:
    path, after = "autograder/checks/sums.py", BEFORE.replace(old, new)
    return EngineEdit(path, "add", "sign_of_term", f"{old} -> {new}", BEFORE, after)


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    """Write a project of one module, and two tests of it, of which one fails."""
    for name, text in (("autograder/checks/sums.py", BEFORE), ("tests/selftest/checks/test_sums.py", TESTS)):
        path = tmp_path / name
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\npythonpath = .\n", encoding="utf-8")
    return Copy(tmp_path, Settings("package", "", 60))


def test_an_edit_rewrites_one_body_and_keeps_all_else() -> None:
    (function,) = ast.parse(BEFORE).body
    assert isinstance(function, ast.FunctionDef)
    head, comment, *_ = BEFORE.splitlines(keepends=True)
    edited = replace_body(f"{BEFORE}ONE = 1\n", function, "return one")
    assert edited == f"{head}{comment}    return one\nONE = 1\n"


@pytest.mark.exhaustive
def test_as_many_edits_are_in_each_package() -> None:
    edits = choose_edits()
    sizes = {package: sum(each.package == package for each in edits) for package in PACKAGES}
    assert len({each.id for each in edits}) == sum(sizes.values()) == EDITS
    assert max(sizes.values()) - min(sizes.values()) <= 1
    assert [each.id for each in edits if each.before == each.after] == []


def test_the_equivalent_edits_are_of_files_that_exist() -> None:
    files = {each.partition(":")[0] for each in read_equivalent()}
    assert files
    assert [each for each in files if not (PROJECT / each).is_file()] == []


@pytest.mark.ci
@pytest.mark.slow
def test_an_edit_is_caught_by_a_test_that_passes_without_it(copy: Copy) -> None:
    caught = copy.measure(make_edit("one + other", "one - other"), None)
    assert caught == Outcome("tests/selftest/checks/test_sums.py::test_sum")
    assert copy.broken == {"tests/selftest/checks/test_sums.py::test_of_something_else"}
    assert (copy.root / "autograder/checks/sums.py").read_text(encoding="utf-8") == BEFORE


@pytest.mark.exhaustive
@pytest.mark.slow
def test_an_edit_that_no_test_notices_survives(copy: Copy) -> None:
    renamed_since = "tests/selftest/checks/test_sums.py::test_total"
    assert copy.measure(make_edit("return other", "return 5"), renamed_since) == Outcome(None)


@pytest.mark.exhaustive
@pytest.mark.slow
def test_tests_without_an_end_are_told_from_an_edit_that_survives(copy: Copy) -> None:
    endless = make_edit("return total", "while one: pass")
    hasty = Copy(copy.root, Settings("package", "", 2))
    assert hasty.measure(endless, "tests/selftest/checks/test_sums.py::test_sum") == Outcome(None, is_finished=False)


def test_equivalent_edits_are_not_counted() -> None:
    outcomes = ("caught", "caught", "survived", "not finished", "equivalent")
    counted = "5 edits: 1 equivalent, 2 caught, 1 survived, 1 not finished; 50% of those that can be caught"
    assert summarise([{"outcome": each} for each in outcomes]) == counted


def test_a_project_with_another_text_is_refused(copy: Copy) -> None:
    edit = make_edit("one + other", "one - other")
    refuse_other_texts([edit], copy.root)
    (copy.root / edit.path).write_text(edit.after, encoding="utf-8")
    with pytest.raises(SystemExit, match="another text"):
        refuse_other_texts([edit], copy.root)
