"""Proposal: what may stand in place of a node of a syntax tree, with what a person would call the error."""

from __future__ import annotations

import ast
from enum import Enum
from typing import Any, NamedTuple

_LONGEST = 60  # characters of code in a story


class EditKind(str, Enum):
    """A kind of error in one place; the more likely ones come first."""

    MISSING_TERM = "operand_missing"
    MISSING_STEP = "step_missing"
    SIGN = "sign_of_term"
    BORDER = "border"
    INDEX = "bound"
    ADDED = "assigned"
    RELATED = "related_function"
    TRANSPOSED = "transposed_factor"
    EXCHANGED = "operands_exchanged"
    OPERATION = "operation"
    OPTION = "option_missing"
    LOOP = "loop"
    CONDITION = "condition"
    CONSTANT = "constant"
    OUTPUTS = "outputs_exchanged"
    ROUNDED = "rounded"
    VARIABLE = "variable"


class Proposal(NamedTuple):
    """What may stand in place of a node: another one, or statements. `kind`: what the error is called.

    `story`: a sentence about it, for people who make it, with places for the code of the nodes `told`.
    """

    kind: EditKind
    replacement: Any
    story: str = ""
    told: tuple[ast.AST, ...] = ()

    def tell(self) -> str:
        """Tell the story; "" where there is none, or a piece of code is too long for it."""
        shown = [" ".join(ast.unparse(each).split()) for each in self.told]
        return self.story.format(*shown) if all(len(each) <= _LONGEST for each in shown) else ""
