"""Annotations: turns a function's annotations in jaxtyping's notation into the text of a signature.

`def f(x: Float[Array, "N D"], mask: Bool[Array, "N"]) -> tuple[Float[Array, ""], Float[Array, "N D"]]` is such a
function. The parts that it returns are named `value`, or `value1`, `value2`, ... Below which size the entries of an
`Int[Array, "N"]` are, no annotation says.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator
from typing import Any

from autograder.contracts.signature_parser import SignatureError

_SCALARS = ("float", "int", "bool", "str")


def read_annotations(function: Callable[..., Any], below: str = "") -> str:
    """Return the signature that a function's annotations say; SignatureError where they say none.

    `below`: the size below which the entries of its arrays of integers are.
    """
    parameters = inspect.signature(function).parameters.values()
    arguments = ", ".join(_write_argument(function, each, below) for each in parameters)
    return f"{function.__name__}({arguments}) -> {', '.join(_write_parts(function))}"


def list_bounds(function: Callable[..., Any]) -> list[str]:
    """List the sizes below which the entries of a function's arrays of integers may be; none without such arrays."""
    trees = [_parse(each.annotation) for each in inspect.signature(function).parameters.values()]
    axes = {tree: _find_axes(tree) or "" for tree in trees}
    own = {name for tree, text in axes.items() if _is_of(tree, "Int") for name in text.split()}
    others = (name for text in axes.values() for name in text.split())
    return [name for name in dict.fromkeys(others) if name.isidentifier() and name not in own] if own else []


def _write_argument(function: Callable[..., Any], parameter: inspect.Parameter, below: str) -> str:
    tree = _parse(parameter.annotation)
    kind = _read_kind(function, parameter.name, tree)
    if _is_of(tree, "Int"):
        if not below:
            what = f"{function.__name__}: nothing says below which size the entries of {parameter.name} are"
            raise SignatureError(f"{what}; write the signature, with `{parameter.name}: {kind} < C`")
        kind += f" < {below}"
    has_default = parameter.default is not parameter.empty
    return f"{parameter.name}: {kind}" + (f" = {parameter.default!r}" if has_default else "")


def _write_parts(function: Callable[..., Any]) -> Iterator[str]:
    tree = _parse(inspect.signature(function).return_annotation)
    is_tuple = isinstance(tree, ast.Subscript) and ast.unparse(tree.value) in ("tuple", "Tuple")
    items = tree.slice.elts if is_tuple and isinstance(tree.slice, ast.Tuple) else [tree]  # type: ignore[union-attr]
    for number, item in enumerate(items, start=1):
        name = f"value{number}" if len(items) > 1 else "value"
        kind = "float" if _find_axes(item) == "" else _read_kind(function, "the value", item)
        yield f"{name}: {kind}"


def _parse(annotation: Any) -> ast.expr | None:
    if isinstance(annotation, ast.expr):
        return annotation
    if annotation is inspect.Parameter.empty:
        return None
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    return ast.parse(text, mode="eval").body


def _read_kind(function: Callable[..., Any], name: str, tree: ast.expr | None) -> str:
    if isinstance(tree, ast.Name) and tree.id in _SCALARS:
        return tree.id
    axes = _find_axes(tree)
    if axes is not None:
        names = axes.split()
        shape = f"({', '.join(names)}{',' * (len(names) == 1 and names != ['...'])})"
        return f"bool {shape}" if _is_of(tree, "Bool") else shape
    shown = "none" if tree is None else ast.unparse(tree)
    raise SignatureError(
        f"{function.__name__}: {name} has the annotation {shown}; write the signature beside the function, "
        'or annotate arrays as Float[Array, "N D"]'
    )


def _find_axes(tree: ast.expr | None) -> str | None:
    """Find the text of the axes in the annotation of an array; None in any other."""
    if isinstance(tree, ast.Subscript) and isinstance(tree.slice, ast.Tuple) and len(tree.slice.elts) == 2:
        axes = tree.slice.elts[1]
        return axes.value if isinstance(axes, ast.Constant) and isinstance(axes.value, str) else None
    return None


def _is_of(tree: ast.expr | None, type_name: str) -> bool:
    """Tell whether an annotation is that of an array of a type, as `jaxtyping.Int[Array, "N"]` is of Int."""
    return isinstance(tree, ast.Subscript) and ast.unparse(tree.value).rpartition(".")[2] == type_name
