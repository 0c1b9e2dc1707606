"""The contracts of this course: each reference keeps its own, and wrong mutants are caught or excused."""

from __future__ import annotations

import ast
import importlib
import json
import subprocess
import sys
from collections import Counter
from typing import Any

import numpy as np
import pytest

from autograder.grading.collection import collect_hidden_tests
from autograder.matrix import adequacy_text, run_generated
from tests.contracts import load, read_excused
from tests.contracts.agreement import agree
from tests.selftest.support.grading import ASSIGNMENT, PROJECT

ADEQUACY = PROJECT / "docs" / "adequacy.md"
CONTRACTS = [(stem, contract) for stem in ASSIGNMENT.stems for contract in load(stem)]


class TestContracts:
    def test_every_function_with_hidden_tests_has_a_contract(self) -> None:
        stems = [question.stem for question in ASSIGNMENT.questions if not question.answers]
        tests = collect_hidden_tests(ASSIGNMENT, stems=stems)
        tested = {(each.test.stem, function) for each in tests for function in each.test.functions}
        assert {(stem, contract.function) for stem, contract in CONTRACTS} == tested

    @pytest.mark.sampled(second=9, ci=50)
    @pytest.mark.parametrize(("stem", "contract"), CONTRACTS, ids=lambda each: getattr(each, "function", each))
    def test_the_reference_keeps_its_contract(self, stem: str, contract: Any) -> None:
        reference = importlib.import_module(f"reference.{stem}")
        for case in contract.draw_cases(1, 25):
            right = contract.observe(reference, case)
            assert not isinstance(right, BaseException)
            assert contract.agrees(case, right, contract.observe(reference, case))

    def test_contracts_know_nothing_of_the_hidden_tests(self) -> None:
        for path in (PROJECT / "tests" / "contracts").glob("*.py"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            imported = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
            imported |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
            assert not any(name.startswith(("tests.hidden", "autograder", "reference")) for name in imported), path

    def test_excuses_have_reasons(self) -> None:
        assert all(len(reason) > 20 for reason in read_excused().values())

    @pytest.mark.parametrize(
        ("right", "got", "same"),
        [
            (1.0, np.array([1.0]), True),
            (1.0, 1.001, False),
            (np.ones((1, 3)), np.ones(3), True),
            (np.ones((2, 3)), np.ones((3, 2)), False),
            (np.array([1.0, 1e-9]), np.array([1.0, 0.0]), True),
            ([1.0, 2.0], (1.0, 2.0), True),
            ([1.0, 2.0], [1.0], False),
            ({"W": 1.0}, {"W": 1.0, "b": 2.0}, True),
            ({"W": 1.0}, {"b": 1.0}, False),
            (1.0, float("nan"), False),
            (1.0, ValueError(), False),
            ("S", "S", True),
        ],
    )
    def test_values_agree_within_rounding_and_style(self, right: Any, got: Any, same: bool) -> None:
        assert agree(right, got) is same


COUNT_ALL = """
import json
from pathlib import Path

from autograder.assignment import load_assignment
from autograder.matrix.adequacy_run import count_mutants
from tests.contracts import load

assignment = load_assignment(Path())
stems = [stem for stem in assignment.stems if load(stem)]
print(json.dumps({stem: count_mutants(assignment, stem=stem, seed=1) for stem in stems}))
"""


@pytest.mark.exhaustive
@pytest.mark.once
def test_the_table_of_the_pages_agrees_with_the_generator() -> None:
    rows = [line.strip("|").split("|") for line in ADEQUACY.read_text(encoding="utf-8").splitlines() if "|" in line]
    table = {cells[0].strip(): list(map(int, cells[1:])) for cells in rows if cells[1].strip().isdecimal()}
    # In a process of its own, and not to the mutant: Hypothesis draws constants of the modules that are loaded, and the
    # values that it draws make mutants "wrong only where".
    done = subprocess.run([sys.executable, "-c", COUNT_ALL], cwd=PROJECT, capture_output=True, text=True, check=True)
    counts = json.loads(done.stdout)
    excused = Counter(name.partition(".")[0] for name in read_excused())
    expected = pytest.approx({**counts, "all": sum(counts.values())}, rel=0.02)
    assert {stem: row[0] for stem, row in table.items()} == expected
    assert {stem: row[5] for stem, row in table.items()} == {
        **dict.fromkeys(counts, 0),
        **excused,
        "all": excused.total(),
    }
    for mutants, equivalent, wrong, caught, survivors, excuses in table.values():
        assert (mutants, wrong, survivors) == (equivalent + wrong, caught + excuses, 0)
    assert table["all"] == [sum(row[column] for stem, row in table.items() if stem != "all") for column in range(6)]


@pytest.mark.slow
def test_a_sample_of_a_question_is_judged_in_processes() -> None:
    report = run_generated(ASSIGNMENT, only=["dropout"], seed=1, sample=9, processes=2)
    assert [(one.function, one.wrong) for one in report.functions] == [
        ("dropout_scale", 3),
        ("dropout_forward", 3),
        ("dropout_backward", 3),
    ]


@pytest.mark.exhaustive
@pytest.mark.slow
def test_a_sample_of_200_wrong_mutants_is_caught_or_excused() -> None:
    report = run_generated(ASSIGNMENT, only=None, seed=1, sample=200, processes=2)
    assert sum(one.wrong for one in report.functions) == 200
    assert report.is_adequate, adequacy_text.render(report)
