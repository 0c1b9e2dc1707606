"""Function names of the grader begin with a verb, and the measure of it counts what it should."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.selftest.meta.function_names import SHARE, begins_with_verb, find_sources, measure_share, read_functions

TOY = """
def read_names(): ...
def _write_names(): ...
async def send(): ...
def names(): ...
def _written_names(): ...
def is_empty(): ...
def _has_names(): ...

class Toy:
    def __enter__(self): ...
    def close(self): ...
    def size(self): ...
    @property
    def name(self): ...
    @functools.cached_property
    def names(self): ...
    @name.setter
    def name(self, value): ...
"""


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """Write a file with four names that begin with a verb, three that do not, and six that are not counted."""
    path = tmp_path / "toy.py"
    path.write_text(TOY, encoding="utf-8")
    return path


def test_nearly_all_function_names_begin_with_a_verb() -> None:
    paths = find_sources([])
    assert len(paths) > 100
    others = [name for path in paths for name, _ in read_functions(path) if not begins_with_verb(name)]
    assert measure_share(paths) >= SHARE, others


def test_properties_predicates_and_special_methods_are_not_counted(toy: Path) -> None:
    names = {name for name, _ in read_functions(toy)}
    assert names == {"read_names", "_write_names", "send", "names", "_written_names", "close", "size"}


def test_the_share_is_that_of_the_names_counted(toy: Path) -> None:
    assert measure_share([toy]) == pytest.approx(4 / 7)
    assert {name for name, _ in read_functions(toy) if not begins_with_verb(name)} == {
        "names",
        "_written_names",
        "size",
    }


def test_a_folder_stands_for_its_files_without_the_starter_code(toy: Path) -> None:
    starter = toy.parent / "starter_modules"
    starter.mkdir()
    (starter / "data.py").write_text("def sigmoid(): ...", encoding="utf-8")
    assert find_sources([str(toy.parent)]) == [toy]
    assert find_sources([str(toy)]) == [toy]
