"""Rule: says which of several right answers a returned part is, or what is wrong with it; its source stands alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from autograder.contracts.case import Case
from autograder.contracts.dialogue import name_use
from autograder.contracts.part_comparison import Refused
from autograder.contracts.signature import GENERATOR, ContractError, GivenKind, Signature
from autograder.sandbox.host.callbacks import CallbackSource, read_callback_source

Functions = Mapping[str, Callable[..., Any]]  # by part
PREDICATE, NEAREST = "predicate", "nearest"


@dataclass(frozen=True)
class Rule:
    """A function of the returned part and the case, by its source.

    The case has `arguments` and the returned `parts` by name, and `right`, what the right function returned. `form`: a
    predicate returns what is wrong in words, empty where nothing is; a "nearest" returns the nearest right value.
    """

    form: str
    source: CallbackSource

    def find_right(self, part: str, case: Case, arguments: Mapping[str, Any], parts: Mapping[str, Any]) -> Any:
        """Return the value with which a returned part is compared; `Refused` where the part is wrong anyhow."""
        value, right = parts[part], case.expected[part]
        seen = SimpleNamespace(arguments=arguments, parts=parts, right=right)
        try:
            with np.errstate(all="ignore"):
                found = self.source.make()(value, seen)
        except Exception:  # noqa: BLE001  (a value of another form may cause anything)
            return right if self.form == NEAREST else Refused("a value of another form")
        return found if self.form == NEAREST else Refused(found) if found else value


def read_rules(signature: Signature, predicate: Functions, nearest: Functions) -> dict[str, Rule]:
    """Read rules of functions, which may use only `np` of their modules; ContractError where one is for no part."""
    parts = (*(each.name for each in signature.parts), *list_uses(signature))
    for name in (*predicate, *nearest):
        if name not in parts:
            raise ContractError(
                f"{signature.name}: a rule is for {name}, which is no part; there are {', '.join(parts)}"
            )
    rules = {part: Rule(PREDICATE, read_callback_source(each)) for part, each in predicate.items()}
    return rules | {part: Rule(NEAREST, read_callback_source(each)) for part, each in nearest.items()}


def list_uses(signature: Signature) -> dict[str, int]:
    """List the dialogues that may be parts, with the places of the arguments."""
    given = enumerate(signature.arguments)
    return {
        name_use(each.name): place
        for place, each in given
        if isinstance(each.kind, GivenKind) and each.kind.name != GENERATOR
    }
