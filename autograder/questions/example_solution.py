"""Example solution: writes a right solution for signatures, to be replaced by what the question asks for."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from autograder.contracts import SignatureError
from autograder.contracts.signature import Argument, ArrayKind, ScalarKind, Signature

EXAMPLE = "An example, to be replaced by what the question asks for."


def write_example(stem: str, title: str, signatures: Sequence[Signature]) -> str:
    """Write functions of arrays and numbers that depend on each argument; SignatureError for other signatures."""
    head = f'"""Right solution of {stem}: {title}."""\n\nimport numpy as np\n'
    return "\n\n".join([head, *(_write_function(each) for each in signatures)])


def _write_function(signature: Signature) -> str:
    first, *others = (each.name for each in signature.arguments)
    more = "".join(f" + np.square({name}).sum() / 2" for name in others)
    if not all(map(_is_plain, signature.arguments)) or not isinstance(signature.arguments[0].kind, ArrayKind):
        raise SignatureError(_refuse(signature))
    formula = "1 / (1 + exp(-x))"
    if len(signature.parts) == 1:
        body = f"    return 1 / (1 + np.exp(-{first})){more}\n"
    elif len(signature.parts) == 2 and signature.parts[0].kind == ScalarKind("float"):
        formula = "sum_i log(1 + exp(x_i))"
        body = f"    loss = np.logaddexp(0, {first}).sum(){more}\n    return loss, 1 / (1 + np.exp(-{first}))\n"
    else:
        raise SignatureError(_refuse(signature))
    names = ", ".join(each.name for each in signature.arguments)
    returned = " and ".join(each.name for each in signature.parts)
    lines = (f'"""{EXAMPLE}', "", f"Returns {returned}.", f"Formula: `{formula}`")
    docstring = textwrap.indent("\n".join([*lines, "Derivation: an example has none.", '"""']), "    ")
    return f"def {signature.name}({names}):\n{docstring}\n{body}"


def _is_plain(argument: Argument) -> bool:
    kind = argument.kind
    return isinstance(kind, ScalarKind) or (isinstance(kind, ArrayKind) and kind.entries == "real" and not kind.below)


def _refuse(signature: Signature) -> str:
    return (
        f"{signature.name}: an example is written for functions of arrays and numbers that return one array of the "
        "first argument's shape, or a loss and its gradient; give the right solution as --reference FILE"
    )
