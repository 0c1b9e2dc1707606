"""The examples of docs/contracts.md run, and what it says of them holds."""

import contextlib
import inspect
import io
import linecache
import re
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from autograder.contracts import Check, Contract, judge_functions, parse_signature
from autograder.contracts.sizes import SizeChooser
from autograder.grading.collection import list_tables
from tests.selftest.support.project_sources import PROJECT

pytestmark = pytest.mark.once

PAGE = (PROJECT / "docs" / "contracts.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", PAGE, re.DOTALL)
PYTHON = [text for language, text in BLOCKS if language == "python"]


def run(name: str, texts: list[str]) -> ModuleType:
    """Run texts as a module of that name, whose source can be read."""
    module, text = ModuleType(name), "\n".join(texts)
    module.__file__ = f"<{name}>"
    linecache.cache[module.__file__] = (len(text), None, text.splitlines(keepends=True), module.__file__)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, name, module)
        exec(compile(text, module.__file__, "exec"), vars(module))
    return module


@pytest.fixture(scope="module")
def modules() -> Iterator[tuple[ModuleType, ModuleType, list[str]]]:
    """The reference and the tests of the page, which its examples import, and its sessions."""
    files: dict[str, list[str]] = {}
    for text in PYTHON:
        files.setdefault(text.splitlines()[0].removeprefix("# "), []).append(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "reference", reference := ModuleType("reference"))
        reference.layers = run("reference.layers", files["reference/layers.py"])  # type: ignore[attr-defined]
        patch.setitem(sys.modules, "reference.layers", reference.layers)
        tests = run("tests.hidden.test_layers", files["tests/hidden/test_layers.py"])
        patch.setitem(sys.modules, "tests.hidden.test_layers", tests)
        yield reference.layers, tests, files["a session"]


def test_the_contracts_hold_for_the_right_solution(modules: Any) -> None:
    layers, tests, _ = modules
    contracts = [each for each in vars(tests).values() if isinstance(each, Contract)]
    assert len(contracts) == 4
    right = vars(layers).__getitem__
    for contract in contracts:
        for purpose in ("ordinary", "everywhere"):
            share, failed = judge_functions(contract.derive(purpose, "a seed"), right)
            assert (share, failed) == (1.0, None), contract.name


def test_the_rows_are_checks(modules: Any) -> None:
    tests = modules[1]
    (table,) = list_tables(tests)
    assert [row.name for row in table.rows] == re.findall(r"`(test_softmax_loss\w*)`", PAGE)
    assert sum(row.points for row in table.rows) == 3.75
    assert type(tests.test_affine_forward()) is Check


def test_the_sessions_print_what_the_page_says(modules: Any) -> None:
    printed = []
    for text in modules[2]:
        with contextlib.redirect_stdout(out := io.StringIO()):
            run("session", [text])
        printed.append(out.getvalue())
    (shown,) = [text for language, text in BLOCKS if language == "text"]
    assert printed[0] == shown
    assert printed[1] == "(1.0, None)\n"
    assert re.match(r"0\.\d\d: place is wrong", printed[2])
    assert re.match(r"0\.\d\d: grad is wrong", printed[3])
    assert printed[4] == ""  # the session on gradient checks asserts
    assert re.match(r"0\.\d\d: pile .* wrong .*after lend where books is empty", printed[5])


def test_it_names_every_argument_of_a_contract() -> None:
    named = set(re.findall(r"^\| `(\w+)=", PAGE, re.MULTILINE))
    assert named == set(inspect.signature(Contract).parameters) - {"reference", "signature"}


def test_the_kinds_that_it_lists_are_read(modules: Any) -> None:
    table = PAGE.partition("| an argument |")[2].partition("\n\n")[0]
    cells = [row.split(" | ")[0].replace("\\|", "|") for row in table.replace(" \\| ", " \\|\\ ").splitlines()[2:]]
    kinds = [each for cell in cells for each in re.findall(r"`([^`]+)`", cell.replace("|\\", "|"))]
    shapes = [each for each in kinds if each[0] in "([{fio'bd1" and not each.startswith("dimensions")]
    for kind in shapes:
        signature = parse_signature(f"f(x: {'float ' if kind.startswith('[0') else ''}{kind}) -> y")
        assert SizeChooser(signature) is not None
    assert len(shapes) >= 15
