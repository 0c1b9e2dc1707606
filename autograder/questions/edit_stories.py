"""Edit stories: turns an edit of the right function into the story of a mistake that a person would write down."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from autograder.mutation.edit_operators import EditKind
from autograder.mutation.syntax_edits import Edit

_LONGEST = 60  # characters of code in a story


class EditStory(NamedTuple):
    """What a mistake does, and the question that its students get; `slug`: the end of its id."""

    slug: str
    story: str
    hint: str


class _Plan(NamedTuple):
    """How edits of a kind are told; `tell`: from the replaced node, the replacement, and what holds the node."""

    slug: str
    hint: str
    tell: Callable[[Any, Any, Any], str]


def tell_edit(edit: Edit) -> EditStory | None:
    """Tell the story of an edit; None where it is no error that people make."""
    plan = _PLANS.get(edit.kind)
    if plan is None:
        return None
    owner, node = (None, *edit.nodes)[-2:]
    told = plan.tell(node, edit.replacement, owner)
    return EditStory(plan.slug, told, plan.hint) if told else None


def _fill(pattern: str, *nodes: Any) -> str:
    """Put code into a sentence; empty where a piece is too long for one."""
    shown = [" ".join(ast.unparse(each).split()) for each in nodes]
    return pattern.format(*shown) if all(len(each) <= _LONGEST for each in shown) else ""


def _tell_missing_term(node: Any, replacement: Any, _owner: Any) -> str:
    pattern = _LEFT_OUT.get(type(node.op), "")
    if replacement is node.left:
        return _fill(pattern, node.right)
    return _fill(pattern, node.left) if isinstance(node.op, (ast.Add, ast.Mult)) else ""


def _tell_sign(node: Any, _replacement: Any, _owner: Any) -> str:
    if isinstance(node, ast.UnaryOp):
        return _fill("Leaves out the minus sign of {0}.", node.operand)
    if not isinstance(node, (ast.BinOp, ast.AugAssign)):
        return ""
    added = node.right if isinstance(node, ast.BinOp) else node.value
    is_sum = isinstance(node.op, ast.Add)
    return _fill("Subtracts {0} instead of adding it." if is_sum else "Adds {0} instead of subtracting it.", added)


def _tell_option(node: Any, replacement: Any, _owner: Any) -> str:
    left_out = next(each for each in node.keywords if each not in replacement.keywords)
    return _fill("Leaves out {0} in {1}.", left_out, node)


def _tell_related(node: Any, replacement: Any, _owner: Any) -> str:
    before, after = node.func.attr, replacement.func.attr
    return _fill(f"Takes {after} instead of {before} in {{0}}.", node) if before in _PEOPLES_CHOICE else ""


def _tell_added(node: Any, _replacement: Any, _owner: Any) -> str:
    if isinstance(node, ast.AugAssign):
        return _fill("Overwrites {0} where it has to be added up.", node.target)
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        return _fill("Counts an index that occurs several times in {0} once.", node.value.args[1])
    return ""


def _tell_condition(node: Any, replacement: Any, _owner: Any) -> str:
    if isinstance(node, ast.IfExp):
        taken = "always" if replacement is node.body else "never"
        return _fill(f"Acts as if it were {taken} true that {{0}}.", node.test)
    is_part = isinstance(node, ast.BoolOp) and replacement in node.values
    return _fill("Looks at {0} alone.", replacement) if is_part else ""


def _tell_border(node: Any, replacement: Any, _owner: Any) -> str:
    return _fill("Tests {0} instead of {1}.", replacement, node)


def _tell_index(node: Any, replacement: Any, _owner: Any) -> str:
    is_fixed = isinstance(replacement, (ast.Constant, ast.UnaryOp))
    pattern = "Always takes the entry {0} instead of {1}." if is_fixed else "Is off by one: {0} instead of {1}."
    return _fill(pattern, replacement, node)


def _tell_transposed(node: Any, replacement: Any, _owner: Any) -> str:
    if isinstance(replacement, ast.Attribute):
        return _fill("Transposes {0}.", node)
    return _fill("Does not transpose {0}.", replacement)


def _tell_operation(node: Any, _replacement: Any, _owner: Any) -> str:
    return _fill(_EXCHANGED.get(type(node.op), ""), node.right) if isinstance(node, ast.BinOp) else ""


def _tell_missing_step(node: Any, replacement: Any, _owner: Any) -> str:
    if isinstance(node, ast.Call) and replacement in node.args:
        return _fill("Leaves out {0} of {1}.", node.func, replacement)
    is_name = isinstance(node, ast.Assign) and isinstance(node.targets[0], (ast.Name, ast.Tuple))
    is_step = isinstance(node, (ast.AugAssign, ast.Expr, ast.Assign)) and not is_name
    return _fill("Leaves out the step {0}.", node) if is_step else ""


def _tell_constant(node: Any, replacement: Any, owner: Any) -> str:
    is_axis = isinstance(owner, ast.keyword) and owner.arg == "axis"
    return _fill("Takes the axis {0} instead of {1}.", replacement, node) if is_axis else ""


def _tell_variable(node: Any, replacement: Any, _owner: Any) -> str:
    return _fill("Uses {0} in the place of {1}.", replacement, node)


_LEFT_OUT: Mapping[type, str] = {
    ast.Add: "Leaves out the term {0}.",
    ast.Sub: "Does not subtract {0}.",
    ast.Mult: "Leaves out the factor {0}.",
    ast.MatMult: "Leaves out the factor {0}.",
    ast.Div: "Does not divide by {0}.",
    ast.Pow: "Leaves out the power {0}.",
}
_EXCHANGED: Mapping[type, str] = {
    ast.Mult: "Divides by {0} instead of multiplying by it.",
    ast.Div: "Multiplies by {0} instead of dividing by it.",
    ast.MatMult: "Multiplies by {0} entry by entry.",
    ast.Pow: "Multiplies by {0} instead of raising to that power.",
}
_PEOPLES_CHOICE = ("sum", "mean", "max", "min", "maximum")  # exchanged by people, too
_PLANS: Mapping[EditKind, _Plan] = {
    EditKind.MISSING_TERM: _Plan("without_term", "Which terms and factors has the formula?", _tell_missing_term),
    EditKind.SIGN: _Plan("wrong_sign", "Which sign has each term of the formula?", _tell_sign),
    EditKind.OPTION: _Plan("without_option", "Which shape has the result of each of your calls?", _tell_option),
    EditKind.CONSTANT: _Plan("wrong_axis", "Over which axis is each sum, mean and maximum?", _tell_constant),
    EditKind.RELATED: _Plan("related_function", "Is it a sum, a mean or a maximum that is asked for?", _tell_related),
    EditKind.ADDED: _Plan("overwrites", "Which of your values get contributions from several places?", _tell_added),
    EditKind.CONDITION: _Plan("without_case", "Which cases does the text tell apart?", _tell_condition),
    EditKind.TRANSPOSED: _Plan("transposed", "Which shapes have the factors of each product?", _tell_transposed),
    EditKind.BORDER: _Plan("border", "What happens where the two sides are equal?", _tell_border),
    EditKind.INDEX: _Plan("off_by_one", "Which are the first and the last entry of each of your ranges?", _tell_index),
    EditKind.OPERATION: _Plan("other_operation", "Which operation joins the parts of the formula?", _tell_operation),
    EditKind.MISSING_STEP: _Plan("without_step", "Which steps has the computation?", _tell_missing_step),
    EditKind.VARIABLE: _Plan("other_variable", "What does each of your variables stand for?", _tell_variable),
}
KINDS = tuple(_PLANS)  # the more telling ones first
