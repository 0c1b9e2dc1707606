"""Annotations: turns a function's annotations in jaxtyping's notation into the text of a signature.

`def f(x: Float[Array, "N D"], labels: Int[Array, "N"]) -> tuple[Float[Array, ""], Float[Array, "N D"]]` is such a
function. The parts that it returns are named `value`, or `value1`, `value2`, ...
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator
from typing import Any

from autograder.contracts.signature_parser import SignatureError

_SCALARS = ("float", "int", "bool", "str")


def read_annotations(function: Callable[..., Any]) -> str:
    """Return the signature that a function's annotations say; SignatureError where they say none."""
    parameters = inspect.signature(function).parameters.values()
    arguments = ", ".join(_write_argument(function, each) for each in parameters)
    return f"{function.__name__}({arguments}) -> {', '.join(_write_parts(function))}"


def _write_argument(function: Callable[..., Any], parameter: inspect.Parameter) -> str:
    kind = _read_kind(function, parameter.name, parameter.annotation)
    has_default = parameter.default is not parameter.empty
    return f"{parameter.name}: {kind}" + (f" = {parameter.default!r}" if has_default else "")


def _write_parts(function: Callable[..., Any]) -> Iterator[str]:
    tree = _parse(inspect.signature(function).return_annotation)
    is_tuple = isinstance(tree, ast.Subscript) and ast.unparse(tree.value) in ("tuple", "Tuple")
    items = tree.slice.elts if is_tuple and isinstance(tree.slice, ast.Tuple) else [tree]  # type: ignore[union-attr]
    for number, item in enumerate(items, start=1):
        name = f"value{number}" if len(items) > 1 else "value"
        yield f"{name}: {_read_kind(function, 'the value', item)}"


def _parse(annotation: Any) -> ast.expr | None:
    if isinstance(annotation, ast.expr):
        return annotation
    if annotation is inspect.Parameter.empty:
        return None
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    return ast.parse(text, mode="eval").body


def _read_kind(function: Callable[..., Any], name: str, annotation: Any) -> str:
    tree = _parse(annotation)
    if isinstance(tree, ast.Name) and tree.id in _SCALARS:
        return tree.id
    if isinstance(tree, ast.Subscript) and isinstance(tree.slice, ast.Tuple) and len(tree.slice.elts) == 2:
        axes = tree.slice.elts[1]
        if isinstance(axes, ast.Constant) and isinstance(axes.value, str):
            return _write_shape(axes.value, "bool " if ast.unparse(tree.value).endswith("Bool") else "")
    shown = "none" if tree is None else ast.unparse(tree)
    raise SignatureError(
        f"{function.__name__}: {name} has the annotation {shown}; write the signature beside the function, "
        'or annotate arrays as Float[Array, "N D"]'
    )


def _write_shape(axes: str, before: str) -> str:
    names = axes.split()
    if names == ["..."]:
        return f"{before}(...)"
    return f"{before}({', '.join(names)}{',' * (len(names) == 1)})"
