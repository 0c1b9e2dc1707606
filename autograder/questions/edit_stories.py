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
    slug: str
    hint: str
    tell: Callable[[Edit], str]


def tell_edit(edit: Edit) -> EditStory | None:
    """Tell the story of an edit; None where it is no error that people make."""
    plan = _PLANS.get(edit.kind)
    told = plan.tell(edit) if plan is not None else ""
    return EditStory(plan.slug, told, plan.hint) if plan is not None and told else None


def _show(node: Any) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= _LONGEST else ""


def _fill(pattern: str, *nodes: Any) -> str:
    """Put code into a sentence; empty where a piece is too long for one."""
    shown = [_show(each) for each in nodes]
    return pattern.format(*shown) if all(shown) else ""


def _tell_missing_term(edit: Edit) -> str:
    node: Any = edit.nodes[-1]
    if edit.replacement is node.left:
        patterns: Mapping[type, str] = {
            ast.Add: "Leaves out the term {0}.",
            ast.Sub: "Does not subtract {0}.",
            ast.Mult: "Leaves out the factor {0}.",
            ast.MatMult: "Leaves out the factor {0}.",
            ast.Div: "Does not divide by {0}.",
            ast.Pow: "Leaves out the power {0}.",
        }
        return _fill(patterns.get(type(node.op), ""), node.right)
    words = {ast.Add: "Leaves out the term {0}.", ast.Mult: "Leaves out the factor {0}."}
    return _fill(words.get(type(node.op), ""), node.left)


def _tell_sign(edit: Edit) -> str:
    node: Any = edit.nodes[-1]
    if isinstance(node, ast.UnaryOp):
        return _fill("Leaves out the minus sign of {0}.", node.operand)
    if not isinstance(node, (ast.BinOp, ast.AugAssign)):
        return ""
    added = node.right if isinstance(node, ast.BinOp) else node.value
    is_sum = isinstance(node.op, ast.Add)
    return _fill("Subtracts {0} instead of adding it." if is_sum else "Adds {0} instead of subtracting it.", added)


def _tell_option(edit: Edit) -> str:
    node, replacement = edit.nodes[-1], edit.replacement
    assert isinstance(node, ast.Call)  # noqa: S101  (by the kind)
    assert isinstance(replacement, ast.Call)  # noqa: S101  (by the kind)
    left_out = [each for each in node.keywords if each not in replacement.keywords]
    return _fill("Leaves out {0} in {1}.", left_out[0], node)


def _tell_related(edit: Edit) -> str:
    node, replacement = edit.nodes[-1], edit.replacement
    assert isinstance(node, ast.Call)  # noqa: S101  (by the kind)
    assert isinstance(replacement, ast.Call)  # noqa: S101  (by the kind)
    before, after = (each.func.attr for each in (node, replacement) if isinstance(each.func, ast.Attribute))
    return _fill(f"Takes {after} instead of {before} in {{0}}.", node) if before in _PEOPLES_CHOICE else ""


def _tell_added(edit: Edit) -> str:
    node: Any = edit.nodes[-1]
    if isinstance(node, ast.AugAssign):
        return _fill("Overwrites {0} where it has to be added up.", node.target)
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        return _fill("Counts an index that occurs several times in {0} once.", node.value.args[1])
    return ""


def _tell_condition(edit: Edit) -> str:
    node: Any = edit.nodes[-1]
    if isinstance(node, ast.IfExp):
        taken = "always" if edit.replacement is node.body else "never"
        return _fill(f"Acts as if it were {taken} true that {{0}}.", node.test)
    if isinstance(node, ast.BoolOp) and edit.replacement in node.values:
        return _fill("Looks at {0} alone.", edit.replacement)
    return ""


def _tell_border(edit: Edit) -> str:
    return _fill("Tests {0} instead of {1}.", edit.replacement, edit.nodes[-1])


def _tell_index(edit: Edit) -> str:
    if isinstance(edit.replacement, (ast.Constant, ast.UnaryOp)):
        return _fill("Always takes the entry {0} instead of {1}.", edit.replacement, edit.nodes[-1])
    return _fill("Is off by one: {0} instead of {1}.", edit.replacement, edit.nodes[-1])


def _tell_transposed(edit: Edit) -> str:
    if isinstance(edit.replacement, ast.Attribute):
        return _fill("Transposes {0}.", edit.nodes[-1])
    return _fill("Does not transpose {0}.", edit.replacement)


def _tell_operation(edit: Edit) -> str:
    node: Any = edit.nodes[-1]
    if not isinstance(node, ast.BinOp):
        return ""
    patterns: Mapping[type, str] = {
        ast.Mult: "Divides by {0} instead of multiplying by it.",
        ast.Div: "Multiplies by {0} instead of dividing by it.",
        ast.MatMult: "Multiplies by {0} entry by entry.",
        ast.Pow: "Multiplies by {0} instead of raising to that power.",
    }
    return _fill(patterns.get(type(node.op), ""), node.right)


def _tell_missing_step(edit: Edit) -> str:
    node: Any = edit.nodes[-1]
    if isinstance(node, ast.Call) and edit.replacement in node.args:
        return _fill("Leaves out {0} of {1}.", node.func, edit.replacement)
    if isinstance(node, (ast.AugAssign, ast.Expr)) or (isinstance(node, ast.Assign) and not _is_name(node.targets[0])):
        return _fill("Leaves out the step {0}.", node)
    return ""


def _tell_constant(edit: Edit) -> str:
    owner = edit.nodes[-2] if len(edit.nodes) > 1 else None
    if isinstance(owner, ast.keyword) and owner.arg == "axis":
        return _fill("Takes the axis {0} instead of {1}.", edit.replacement, edit.nodes[-1])
    return ""


def _tell_variable(edit: Edit) -> str:
    return _fill("Uses {0} in the place of {1}.", edit.replacement, edit.nodes[-1])


def _is_name(node: ast.AST) -> bool:
    return isinstance(node, (ast.Name, ast.Tuple))


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
