"""Opening: turns the row of a contract with rules or laws into an open check."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.contracts.case_maker import GENERATOR
from autograder.contracts.check import CaseCheck
from autograder.contracts.dialogue import name_use
from autograder.contracts.law import Law, make_run
from autograder.contracts.law_judgement import LAW_SHARE, Laws
from autograder.contracts.live_argument import Generator
from autograder.contracts.named_parts import ContractError
from autograder.contracts.open_check import OpenCheck
from autograder.contracts.rule import NEAREST, PREDICATE, Rule, read_rule
from autograder.contracts.signature import GivenKind, Signature

Generate = Callable[..., np.random.Generator]  # by the number of a case, and names
_AGAIN = 2  # calls that are repeated with a generator of the same seed


@dataclass(frozen=True)
class Opening:
    """The rules of a contract's parts and the laws of its function. `uses`: the dialogues that are parts."""

    rules: Mapping[str, Rule]
    laws: Sequence[Law]
    uses: Mapping[str, int]

    def open(self, row: CaseCheck, signature: Signature, generate: Generate) -> CaseCheck | OpenCheck:
        """Return an open check of the row; the row itself where nothing is open."""
        if not self.rules and not self.laws:
            return row
        laws = self._make_laws(signature, generate) if self.laws else None
        unread = {name: () for name in self.uses if "right" not in self.rules[name].source.definition}
        cases = tuple(case._replace(expected={**case.expected, **unread}) for case in row.cases)
        return OpenCheck(row._replace(cases=cases), self.rules, laws)

    def _make_laws(self, signature: Signature, generate: Generate) -> Laws:
        place = _find_generator(signature)
        runs = []
        for number, law in enumerate(self.laws):
            rng = generate(number, "law")
            given = list(law.arguments(rng) if callable(law.arguments) else law.arguments)
            given.insert(place, Generator(int(rng.integers(2**31))))
            runs.append(make_run(law, signature.name, given, place))
        first = runs[0].request
        return Laws(tuple(runs), first._replace(calls=min(_AGAIN, first.calls)), LAW_SHARE)


def read_opening(
    signature: Signature,
    predicate: Mapping[str, Callable[..., Any]],
    nearest: Mapping[str, Callable[..., Any]],
    laws: Sequence[Law],
) -> Opening:
    """Read rules and laws; ContractError where a rule is for no part, or a law for a function without a generator."""
    places = {name_use(each.name): place for place, each in enumerate(signature.arguments) if _is_given(each.kind)}
    parts = [each.name for each in signature.parts]
    for name in (*predicate, *nearest):
        if name not in (*parts, *places):
            known = ", ".join((*parts, *places))
            raise ContractError(f"{signature.name}: a rule is for {name}, which is no part; there are {known}")
    if laws:
        _find_generator(signature)
    rules = {part: read_rule(PREDICATE, each) for part, each in predicate.items()}
    rules |= {part: read_rule(NEAREST, each) for part, each in nearest.items()}
    return Opening(rules, tuple(laws), {name: place for name, place in places.items() if name in rules})


def _is_given(kind: object) -> bool:
    return isinstance(kind, GivenKind) and kind.name != GENERATOR


def _find_generator(signature: Signature) -> int:
    for place, each in enumerate(signature.arguments):
        if isinstance(each.kind, GivenKind) and each.kind.name == GENERATOR:
            return place
    raise ContractError(f"{signature.name}: a law is for a function with an argument of the kind `{GENERATOR}`")
