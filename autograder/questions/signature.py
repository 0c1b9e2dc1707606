"""Signature: turns the text of a function's signature into its name and arguments, with example values of their shapes.

`grad(w: (D,), x: (N, D), step: float)` is a signature: an annotation is the shape of an array, `float` or `int`. An
argument without one is a matrix (N, D). Letters that differ get sizes that differ, so that no axis is confused.
"""

from __future__ import annotations

import ast
import keyword
from collections.abc import Sequence
from dataclasses import dataclass

_SIZES = (4, 3, 5, 2, 7, 6)
_NUMBERS = ("float", "int")
_MATRIX = ("N", "D")


class SignatureError(Exception):
    """The text is no signature of a graded function; it says what was found and what to write."""


@dataclass(frozen=True)
class Argument:
    """An argument: a number of the type `kind`, or an array whose axes have these letters or sizes."""

    name: str
    kind: str = "array"
    axes: tuple[str, ...] = ()

    @property
    def shape(self) -> str:
        """The shape as it stands in a docstring, such as (N, D); the type of a number."""
        if self.kind != "array":
            return self.kind
        return f"({self.axes[0]},)" if len(self.axes) == 1 else f"({', '.join(self.axes)})"


@dataclass(frozen=True)
class Signature:
    """A function; `is_loss`: it returns a loss and its gradient with respect to the first argument."""

    name: str
    arguments: tuple[Argument, ...]
    is_loss: bool = False

    @property
    def names(self) -> str:
        """The arguments as they are passed."""
        return ", ".join(argument.name for argument in self.arguments)


def parse_signature(text: str, losses: Sequence[str] = ()) -> Signature:
    """Parse the signature of a function; SignatureError if it is none, or a loss does not begin with an array."""
    try:
        (made,) = ast.parse(f"def {text.strip().rstrip(':')}: ...").body
    except (SyntaxError, ValueError):
        made = None
    if not isinstance(made, ast.FunctionDef):
        raise SignatureError(
            f"{text!r} is no signature; write a name and arguments, such as 'grad(w: (D,), x: (N, D))'"
        )
    given = made.args
    others = [given.vararg, given.kwarg, *given.kwonlyargs, *given.defaults]
    if any(others) or not (given.args or given.posonlyargs):
        raise SignatureError(f"{text!r}: write one or more arguments by position, without defaults")
    arguments = tuple(_read_argument(each, text) for each in (*given.posonlyargs, *given.args))
    is_loss = made.name in losses
    if is_loss and arguments[0].kind != "array":
        raise SignatureError(
            f"{text!r}: the first argument of a loss, of which it returns the gradient, has to be an array"
        )
    return Signature(made.name, arguments, is_loss)


def choose_sizes(signatures: Sequence[Signature], *, is_other: bool = False) -> dict[str, int]:
    """Choose a size for each letter of the shapes; `is_other`: another one."""
    letters = dict.fromkeys(
        axis for each in signatures for argument in each.arguments for axis in argument.axes if not axis.isdecimal()
    )
    return {letter: _SIZES[(number + 2 * is_other) % len(_SIZES)] for number, letter in enumerate(letters)}


def _read_argument(argument: ast.arg, text: str) -> Argument:
    annotation = argument.annotation
    if annotation is None:
        return Argument(argument.arg, axes=_MATRIX)
    if isinstance(annotation, ast.Name) and annotation.id in _NUMBERS:
        return Argument(argument.arg, annotation.id)
    if isinstance(annotation, ast.Tuple) and annotation.elts:
        axes = [ast.unparse(each) for each in annotation.elts]
        if all(axis.isdecimal() or (axis.isidentifier() and not keyword.iskeyword(axis)) for axis in axes):
            return Argument(argument.arg, axes=tuple(axes))
    shown = ast.unparse(annotation)
    raise SignatureError(f"{text!r}: {shown} is none of `float`, `int` and a shape such as (D,) or (N, D)")
