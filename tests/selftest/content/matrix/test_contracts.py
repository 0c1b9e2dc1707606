"""The contracts of this course judge mutants: each reference keeps its own, and wrong mutants are caught or excused."""

from __future__ import annotations

import importlib
from collections import Counter
from typing import Any

import pytest

from autograder.matrix import run_generated
from autograder.matrix.adequacy import Task, build_judge, read_excused
from autograder.matrix.adequacy_text import render_adequacy
from tests.selftest.support.grading import ASSIGNMENT, PROJECT
from tests.selftest.support.replayed_submission import find_contracts, hidden_tests

ADEQUACY = PROJECT / "docs" / "adequacy.md"
STEMS = [question.stem for question in ASSIGNMENT.questions if not question.answers]
CONTRACTS = [(stem, contract) for stem in STEMS for contract in find_contracts(stem).values()]


class TestContracts:
    def test_every_function_with_hidden_tests_has_a_contract(self) -> None:
        tested = {(stem, name) for stem in STEMS for each in hidden_tests(stem) for name in each.test.functions}
        assert {(stem, contract.function) for stem, contract in CONTRACTS} == tested

    @pytest.mark.sampled(second=9, ci=28)
    @pytest.mark.parametrize(("stem", "contract"), CONTRACTS, ids=lambda each: getattr(each, "function", each))
    def test_the_reference_is_right_in_random_cases(self, stem: str, contract: Any) -> None:
        reference = importlib.import_module(f"reference.{stem}")
        for case in contract.draw_cases(1, 25):
            assert contract.agrees(case, contract.observe(reference, case))

    def test_a_vocabulary_of_two_words_has_another_than_the_outside_word_to_draw(self) -> None:
        contract = find_contracts("word2vec")["negSamplingLossAndGradient"]
        assert contract.draw_cases(4, 300)

    def test_excuses_have_reasons(self) -> None:
        assert all(len(reason) > 20 for reason in read_excused(ASSIGNMENT).values())


@pytest.mark.exhaustive
@pytest.mark.once
def test_the_table_of_the_pages_agrees_with_the_generator() -> None:
    rows = [line.strip("|").split("|") for line in ADEQUACY.read_text(encoding="utf-8").splitlines() if "|" in line]
    table = {cells[0].strip(): list(map(int, cells[1:])) for cells in rows if cells[1].strip().isdecimal()}
    tasks = {stem: [Task(ASSIGNMENT, stem, name, 1, None) for name in find_contracts(stem)] for stem in STEMS}
    counts = {stem: sum(len(build_judge(each).list_mutants()) for each in found) for stem, found in tasks.items()}
    excused = Counter(name.partition(".")[0] for name in read_excused(ASSIGNMENT))
    assert {stem: row[0] for stem, row in table.items()} == {**counts, "all": sum(counts.values())}
    assert {stem: row[5] for stem, row in table.items()} == {
        **dict.fromkeys(counts, 0),
        **excused,
        "all": excused.total(),
    }
    for mutants, equivalent, wrong, caught, survivors, excuses in table.values():
        assert (mutants, wrong, survivors) == (equivalent + wrong, caught + excuses, 0)
    assert table["all"] == [sum(row[column] for stem, row in table.items() if stem != "all") for column in range(6)]


@pytest.mark.exhaustive
@pytest.mark.slow
def test_a_sample_of_a_question_is_judged_in_processes() -> None:
    report = run_generated(ASSIGNMENT, only=["dropout"], seed=1, sample=9, processes=2, drops_kinds=True)
    assert [(one.function, len(one.wrong)) for one in report.functions] == [
        ("dropout_scale", 3),
        ("dropout_forward", 3),
        ("dropout_backward", 3),
    ]
    assert "kinds are redundant one at a time" in render_adequacy(report)


@pytest.mark.exhaustive
@pytest.mark.slow
def test_a_sample_of_200_wrong_mutants_is_caught_or_excused() -> None:
    report = run_generated(ASSIGNMENT, only=None, seed=1, sample=200, processes=2)
    assert sum(len(one.wrong) for one in report.functions) == 200
    assert report.is_adequate, render_adequacy(report)
