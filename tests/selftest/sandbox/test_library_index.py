"""Library index: a worker gets modules that the library has, and no name of the student's making."""

from __future__ import annotations

import pytest

from autograder.grading.memory import WorkerMemory
from autograder.sandbox import limits as limit
from autograder.sandbox.preload import find_modules_to_preload, is_library_module


@pytest.mark.parametrize(
    "name", ["json", "json.decoder", "colorsys", "math", "_socket", "email.mime.text", "numpy.linalg", "xml.etree"]
)
def test_modules_of_the_library_are_in_it(name: str) -> None:
    assert is_library_module(name)


@pytest.mark.parametrize(
    "name",
    [
        "json.x5b312e302c20322e305d",  # inputs of a test, in hexadecimal
        "json.decoder.x",
        "idlelib.idle",
        "venv.__main__",
        "numpy.no_such_part",
        "json..decoder",
        "json/decoder",
        "json.decoder\n",
        "..json",
        "",
        "json." + "x" * 200,
        "json." + "x" * 7_000_000,
    ],
)
def test_no_other_name_is(name: str) -> None:
    assert not is_library_module(name)


def test_what_a_worker_asked_for_in_one_check_is_forgotten_at_the_next() -> None:
    memory = WorkerMemory()
    assert memory.learn_library("toy", "colorsys", is_loading=False)
    assert not memory.learn_library("toy", "colorsys", is_loading=False)
    assert not memory.learn_library("toy", "json.x31", is_loading=False)
    memory.start_check()
    assert memory.learn_library("toy", "colorsys", is_loading=False)


def test_a_long_name_in_a_source_is_not_preloaded() -> None:
    long = "x" * limit.MODULE_NAME_CHARACTERS
    assert find_modules_to_preload([f"import json.{long}\nimport colorsys\n"]) == ("colorsys",)
