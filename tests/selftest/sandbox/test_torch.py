"""Tensors reach student code as tensors and come back as arrays, inside of all layers of the sandbox.

Skipped where torch is not installed: the numpy assignments need none of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from autograder.grading.attempt_run import AttemptRun
from autograder.grading.memory import WorkerMemory
from autograder.programs.outcome import OutcomeKind
from autograder.results import Verdict
from autograder.sandbox.host.client import Zygote
from autograder.sandbox.host.launcher import Launcher
from autograder.student import CallFailed, Student
from tests.selftest.support.made_judge import make_attempt, make_judge
from tests.selftest.support.toy_question import changed, hidden_test

torch = pytest.importorskip("torch", reason="torch is not installed (see examples/assignments)")


@pytest.fixture(scope="module")
def zygote() -> Iterator[Zygote]:
    """A zygote whose assignment declares torch."""
    with Zygote(Launcher(libraries=["torch"])) as running:
        yield running


@pytest.fixture
def work(zygote: Zygote) -> Iterator[Any]:
    """Make the proxy of a submission."""
    attempts: list[AttemptRun] = []

    def make(text: str) -> Any:
        memory = WorkerMemory(declared=frozenset({"torch"}))
        attempts.append(make_attempt(changed(text), zygote, "double", "Pile.push", memory=memory))
        return Student(attempts[-1]).shapes

    yield make
    for attempt in attempts:
        attempt.close()


@pytest.mark.parametrize(
    "value", ["x.requires_grad_()", "x.to(torch.bfloat16)", "x.to_sparse()", "x.t().t()", "torch.nn.Parameter(x)"]
)
def test_any_tensor_comes_back(work: Any, value: str) -> None:
    assert work(f"import torch\ndef double(x): return {value}").double(torch.ones(2, 3)).tolist() == [[1.0] * 3] * 2


def test_a_value_that_was_cut_off_its_graph_is_the_students_error(work: Any) -> None:
    double = work("def double(x): return x.detach() * 2").double
    with pytest.raises(CallFailed) as failure:
        double.with_gradients(torch.ones(2, requires_grad=True), output_gradient=np.ones(2), of=[0])
    assert failure.value.outcome.kind is OutcomeKind.RAISED
    assert "does not require grad" in failure.value.outcome.message


@pytest.mark.parametrize("step", ["SGD", "Adam"])
def test_modules_that_torch_imports_late_are_loaded(zygote: Zygote, step: str) -> None:
    text = f"""
    import torch
    def double(x):
        model = torch.nn.Sequential(torch.nn.Linear(3, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2))
        optimizer = torch.optim.{step}(model.parameters(), lr=0.1)
        losses = []
        for _ in range(30):
            optimizer.zero_grad()
            loss = torch.nn.functional.cross_entropy(model(x), torch.tensor([0, 1, 0, 1]))
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        return losses
    """
    losses: list[float] = []
    judge = make_judge(changed(text), zygote=zygote, memory=WorkerMemory(declared=frozenset({"torch"})))
    result = judge.judge(
        hidden_test("double"), lambda student: losses.extend(student.shapes.double(torch.eye(4)[:, :3]))
    )
    assert result.verdict is Verdict.PASSED, result.output
    assert losses[-1] < losses[0]
