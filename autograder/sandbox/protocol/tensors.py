"""Tensors: converts between tensors of PyTorch and arrays, in the processes of an assignment that declares torch.

Run by the grader on values of its own and in the worker, with the rights of each. Trusts no value. A tensor of the
grader reaches student code as a tensor, a tensor of student code reaches the grader as an array: it keeps no graph for
automatic differentiation, and the grader decodes no more kinds of values than without PyTorch. torch is never imported
here, so that an assignment that does not declare it needs none.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from autograder.sandbox.protocol.wire import Tensor


def _find_torch() -> Any:
    """Return torch where it is loaded; None also for another module of this name, such as the stub of a missing one."""
    torch: Any = sys.modules.get("torch")
    return torch if isinstance(getattr(torch, "Tensor", None), type) else None


def find_array(value: object) -> np.ndarray[Any, Any] | None:
    """Return the elements of a tensor as an array, those of a reduced type in single precision; None of others."""
    torch = _find_torch()
    if torch is None or not isinstance(value, torch.Tensor):
        return None
    dense = value.detach().cpu().resolve_conj().resolve_neg()
    dense = dense.to_dense() if dense.layout != torch.strided else dense
    return np.asarray((dense.float() if dense.dtype == torch.bfloat16 else dense).numpy())


def find_tensor(value: object) -> Tensor | None:
    """Return the wire form of a tensor of the grader; None of other values."""
    array = find_array(value)
    if array is None:
        return None
    is_parameter = isinstance(value, sys.modules["torch"].nn.Parameter)
    return Tensor(array, bool(value.requires_grad), is_parameter)  # type: ignore[attr-defined]


def make_tensor(tensor: Tensor) -> object:
    """Return a tensor, or a parameter of a module, for student code; ImportError where torch is not loaded."""
    torch = _find_torch()
    if torch is None:
        raise ImportError("a tensor needs torch among the libraries of assignment.toml")
    made = torch.from_numpy(tensor.array.copy())
    if tensor.is_parameter:
        return torch.nn.Parameter(made, requires_grad=tensor.requires_grad)
    return made.requires_grad_(tensor.requires_grad)


def warm_up() -> None:
    """Import the modules of torch, where it is loaded, that each worker that prints a tensor would request."""
    torch = _find_torch()
    if torch is not None:
        repr(torch.zeros(2))


def seed(number: int) -> None:
    """Seed the random numbers of torch, where it is loaded."""
    torch = _find_torch()
    if torch is not None:
        torch.manual_seed(number)


def compute_gradients(value: Any, output_gradient: Any, sources: Sequence[Any]) -> list[object]:
    """Return the gradients of sum(value * output_gradient) by these tensors: arrays, or None where none flows.

    Computed by reverse-mode automatic differentiation. `output_gradient`: an array of the shape of `value`, or a number
    for a value that is one.
    """
    torch: Any = sys.modules["torch"]
    weights = torch.as_tensor(np.asarray(output_gradient), dtype=value.dtype)
    # The sum first: with gradients of an output as its argument, `grad` would import further modules of torch.
    found = torch.autograd.grad((value * weights.reshape(value.shape)).sum(), sources, allow_unused=True)
    return [None if each is None else find_array(each) for each in found]
