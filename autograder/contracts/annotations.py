"""Annotations: turns a function's annotations in jaxtyping's notation into the text of a signature.

`def f(x: Float[Array, "N D"], mask: Bool[Array, "N"]) -> tuple[Float[Array, ""], Float[Array, "N D"]]` is such a
function. The parts that it returns are named `value`, or `value1`, `value2`, ... Below which size the entries of an
`Int[Array, "N"]` are, no annotation says.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

from autograder.contracts.signature_parser import SignatureError

_SCALARS = ("float", "int", "bool", "str")
_ARRAY = re.compile(r"(?:\w+\.)*(\w+)\[.+, '([^']*)'\]")


def read_annotations(function: Callable[..., Any], below: str = "") -> str:
    """Return the signature that a function's annotations say; SignatureError where they say none.

    `below`: the size below which the entries of its arrays of integers are.
    """
    parameters = inspect.signature(function).parameters.values()
    arguments = ", ".join(_write_argument(function, each, below) for each in parameters)
    return f"{function.__name__}({arguments}) -> {', '.join(_write_parts(function))}"


def list_bounds(function: Callable[..., Any]) -> list[str]:
    """List the sizes below which the entries of a function's arrays of integers may be; none without such arrays."""
    arrays = [_match(_write(each.annotation)) for each in inspect.signature(function).parameters.values()]
    own = {name for kind, axes in arrays if kind == "Int" for name in (axes or "").split()}
    others = (name for _, axes in arrays for name in (axes or "").split())
    return [name for name in dict.fromkeys(others) if name.isidentifier() and name not in own] if own else []


def _write_argument(function: Callable[..., Any], parameter: inspect.Parameter, below: str) -> str:
    annotation = _write(parameter.annotation)
    kind = _read_kind(function, parameter.name, annotation)
    if _match(annotation)[0] == "Int":
        if not below:
            what = f"{function.__name__}: nothing says below which size the entries of {parameter.name} are"
            raise SignatureError(f"{what}; write the signature, with `{parameter.name}: {kind} < C`")
        kind += f" < {below}"
    has_default = parameter.default is not parameter.empty
    return f"{parameter.name}: {kind}" + (f" = {parameter.default!r}" if has_default else "")


def _write_parts(function: Callable[..., Any]) -> Iterator[str]:
    annotation = _write(inspect.signature(function).return_annotation)
    tree = ast.parse(annotation, mode="eval").body
    is_tuple = isinstance(tree, ast.Subscript) and ast.unparse(tree.value) in ("tuple", "Tuple")
    items = tree.slice.elts if is_tuple and isinstance(tree.slice, ast.Tuple) else [tree]  # type: ignore[attr-defined]
    for number, item in enumerate(map(ast.unparse, items), start=1):
        name = f"value{number}" if len(items) > 1 else "value"
        kind = "float" if _match(item)[1] == "" else _read_kind(function, "the value", item)
        yield f"{name}: {kind}"


def _write(annotation: Any) -> str:
    """Write an annotation in one form, whether it is a text, a type or missing."""
    if annotation is inspect.Parameter.empty:
        return "none"
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    return ast.unparse(ast.parse(text, mode="eval"))


def _match(annotation: str) -> tuple[str, str | None]:
    """Find the type and the axes in the annotation of an array, as in `jaxtyping.Int[Array, 'N']`."""
    found = _ARRAY.fullmatch(annotation)
    return (found[1], found[2]) if found else ("", None)


def _read_kind(function: Callable[..., Any], name: str, annotation: str) -> str:
    if annotation in _SCALARS:
        return annotation
    type_name, axes = _match(annotation)
    if axes is not None:
        names = axes.split()
        shape = f"({', '.join(names)}{',' * (len(names) == 1 and names != ['...'])})"
        return f"bool {shape}" if type_name == "Bool" else shape
    raise SignatureError(
        f"{function.__name__}: {name} has the annotation {annotation}; write the signature beside the function, "
        'or annotate arrays as Float[Array, "N D"]'
    )
