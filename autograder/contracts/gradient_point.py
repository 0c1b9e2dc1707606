"""Gradient point: makes the check of a gradient from one drawn case and the function that returns the loss."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from autograder.contracts.case import Case
from autograder.contracts.gradient_row import GradientCheck, Loss
from autograder.contracts.named_parts import name_parts
from autograder.contracts.replies import answer_by
from autograder.contracts.signature import Argument, ScalarKind, Signature


class LossFunction(NamedTuple):
    """The right function that returns a loss, and others that are accepted in its place."""

    signature: Signature
    right: Callable[..., Any]
    others: tuple[Callable[..., Any], ...] = ()

    @property
    def loss_name(self) -> str:
        """The name of the loss: the first part that is a float, else the first."""
        return find_loss(self.signature)


def find_loss(signature: Signature) -> str:
    """Find the name of the loss: the first part that is a float, else the first."""
    names = [each.name for each in signature.parts if isinstance(each.kind, ScalarKind)]
    return names[0] if names else signature.parts[0].name


def make_gradient_check(
    signature: Signature, case: Case, gradients: Mapping[str, str], loss: LossFunction
) -> GradientCheck:
    """Make the check at a case. `gradients`: by part, the argument of the loss that it is the gradient by."""
    given = dict(zip(_list_names(signature.arguments), case.arguments, strict=False))
    names = _list_names(loss.signature.arguments)
    arguments = tuple(given[name] for name in names if name in given)
    parts = tuple(_list_names(loss.signature.parts))
    return GradientCheck(
        signature.name,
        case.arguments,
        tuple(_list_names(signature.parts)),
        tuple(range(len(signature.parts))),
        {part: names.index(argument) for part, argument in gradients.items()},
        Loss(
            loss.signature.name,
            arguments,
            parts,
            parts.index(loss.loss_name),
            _list_factors(signature, loss, arguments),
        ),
    )


def choose_smooth(checks: Iterable[GradientCheck], functions: Mapping[str, Callable[..., Any]]) -> GradientCheck:
    """Choose the first check that the right `functions` pass with the digits of single precision, else the last.

    So few digits leave the larger step alone, which shows kinks in a wider circle around the point.
    """
    for check in checks:
        replies = [answer_by(functions.__getitem__, each) for each in check.requests]
        rounded = [float(f"{each:.7g}") if isinstance(each, float) else each for each in replies]
        if check.judge(rounded).failure is None:
            break
    return check


def _list_factors(signature: Signature, loss: LossFunction, arguments: tuple[Any, ...]) -> tuple[float, ...]:
    if loss.signature.name == signature.name:
        return ()
    found = [
        float(name_parts(loss.signature, function(*arguments))[loss.loss_name])
        for function in (loss.right, *loss.others)
    ]
    return tuple(found[0] / value for value in found)


def _list_names(items: Sequence[Argument] | Sequence[Any]) -> list[str]:
    return [each.name for each in items]
