"""Contract draft: turns signatures and a right solution into the contracts of a question."""

from __future__ import annotations

import contextlib
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from autograder import UserError
from autograder.assignment import find_owner
from autograder.contracts import (
    JUMPS,
    LEFT_OUT,
    Contract,
    ContractError,
    SignatureError,
    Where,
    judge_functions,
    parse_signature,
)
from autograder.contracts.case import CONSTANTS, GRADIENT_CHECK, ROBUST, SIZES, STATE, VALUES
from autograder.contracts.gradient_maker import find_loss, make_gradient_check
from autograder.contracts.kinds import Kind, ScalarKind
from autograder.contracts.promised import Slopes
from autograder.contracts.signature import Signature
from autograder.plain_text import join_words
from autograder.questions.driver_draft import DriverDraft, draft_driver, find_draws, find_function
from autograder.sandbox.host.bounds import TooLong, limit_time

_SEED = "a draft"
_SECONDS = 60.0  # of computing time for one function: cases and points of gradient checks take some
_POINTS = 20  # at one of which a gradient has to be the slopes
_EXPONENTIALS = {"exp", "logaddexp", "expm1"}
_DRAWN = 120  # random cases
_VISIBLE, _GRADIENT = 0.3, 0.2  # of a function's points: the row of ordinary values, and its gradient check
_INDEX = re.compile("IndexError.*integer|indices must be integers")  # of an error for a real number as an index
_ROWS = ("ordinary", "everywhere")
WITHOUT_JUMPS = [Where(JUMPS, group=LEFT_OUT)]
"""The option `cases` of a function that some drawn cases take to a tie or a kink."""
_QUARTERS = 4  # of a point: functions and rows are worth whole ones


class DraftedRow(NamedTuple):
    """A row to be written; `kind`: the method of the contract that makes it; `share`: of its function's points."""

    kind: str
    title: str
    share: float


@dataclass(frozen=True)
class DraftedContract:
    """The contract of one function or method; `text`: its signature without the name; `options`: as for `Contract`.

    `source`: of the functions among them. `forward`: the function whose slopes the gradients are, empty for a
    loss that is returned with them.
    """

    name: str
    text: str
    contract: Contract
    options: Mapping[str, Any] = field(default_factory=dict)
    source: str = ""
    forward: str = ""

    @property
    def variable(self) -> str:
        """The name of the contract in a hidden test."""
        return self.name.replace(".", "_")

    @property
    def rows(self) -> list[DraftedRow]:
        """The rows of the function, each with its share; the last one is hidden."""
        gradient = DraftedRow(GRADIENT_CHECK, f"the slopes of your own {self.forward or 'loss'}", _GRADIENT)
        own = [gradient] if "gradient" in self.options else []
        left = 1 - _VISIBLE - _GRADIENT * len(own)
        return [
            DraftedRow("ordinary", "ordinary values", _VISIBLE),
            *own,
            DraftedRow("everywhere", self._describe_everywhere(), left),
        ]

    def _describe_everywhere(self) -> str:
        """Say what the hidden row has, by the groups of its cases."""
        derived: Any = self.contract.derive("everywhere", _SEED)
        groups = {each.rpartition(" ")[2] for each in derived.shares}
        others = [each for each in (SIZES, VALUES, CONSTANTS) if each in groups]
        described = f"other {join_words(others)}"
        return f"{described}, a second call" if STATE in groups else described


def share_points(points: float, shares: Sequence[float]) -> list[float]:
    """Share points in quarters, at least one each; the last gets what is left."""
    shared = []
    for share in shares[:-1]:
        quarters = points * share * _QUARTERS // 1
        shared.append(max(quarters, 1) / _QUARTERS)
    return [*shared, round(points - sum(shared), 2)]


def draft_contracts(
    module: ModuleType, signatures: Sequence[str], *, seconds: float = _SECONDS
) -> tuple[list[DraftedContract], dict[str, str]]:
    """Draft the contract of each function; return them, and by the names of those that are refused, the reason.

    It is refused if the text is no signature of the module, or if the right function does not keep what its signature
    says, or computes for more than `seconds`.
    """
    texts = read_names(signatures)
    drafted: list[DraftedContract] = []
    refused = {}
    for name in texts:
        try:
            with limit_time(seconds), warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                draft = draft_driver(module, name, texts)
                if draft is not None:
                    drafted.append(_draft(module, draft))
        except TooLong:
            advice = "if it ends, `where N <= 40` makes the cases smaller"
            refused[name] = f"{name}: the right solution computes for more than {seconds:g} s; {advice}"
        except (SignatureError, ContractError, UserError) as error:
            advice = "; an index is below a size: `y: (N,) < C`" if _INDEX.search(str(error)) else ""
            refused[name] = f"{error}{advice}"
        except Exception as error:  # noqa: BLE001  (values of the right solution's, which may do anything)
            advice = f"; give the constructor a signature, too, such as `{find_owner(name)}(D: int)`"
            is_lacking = "__init__() missing" in str(error)
            refused[name] = f"{name}: {type(error).__name__}: {error}{advice if is_lacking else ''}"
    known = [*refused, *(each.name for each in drafted)]
    told = set(map(find_owner, known))
    for name in texts:
        if find_owner(name) not in told:
            advice = "write `-> value` behind one that does, or the attributes that it sets"
            refused[name] = f"{name}: no method returns anything; {advice}"
    return drafted, refused


def read_names(signatures: Sequence[str]) -> dict[str, str]:
    """Read the names of signatures, each with its text; SignatureError for one that stands twice."""
    texts = {}
    for text in signatures:
        name = text.replace(":", "(").partition("(")[0].strip()
        texts[name] = " ".join(text.split())
    if len(texts) < len(signatures):
        raise SignatureError("two signatures have the same name")
    return texts


def _draft(module: ModuleType, draft: DriverDraft) -> DraftedContract:
    name, text = draft.name, draft.text
    signature = parse_signature(text, name=name)
    function = find_function(module, name)
    options = {**draft.options}
    draws = {**find_draws(module, text), **options.get("draw", {})}
    if draws:
        options["draw"] = draws
    _require_taken(module, Contract(function, text, **options))
    if _has_jumps(function, text, options):
        options["cases"] = WITHOUT_JUMPS
    source = draft.source
    gradients = _find_gradients(function, signature, replace(draft, options=options))
    if gradients:
        options["gradient"] = _write_slopes(draft, gradients)
        source = "\n\n\n".join(filter(None, [source, draft.slopes_source]))
    stable = [] if draft.source else _find_stable(module, signature, text, options)
    if stable:
        options["stable"] = stable
    contract = Contract(function, text, **options)
    return DraftedContract(name, text, contract, options, source, draft.forward)


def _find_stable(module: ModuleType, signature: Signature, text: str, options: Mapping[str, Any]) -> list[str]:
    """Find the arrays whose entries of 1000 the right function takes although it has exponentials."""
    function = getattr(module, signature.name)
    if not _has_exponential(function, module):
        return []
    found = []
    for argument in signature.arguments:
        if argument.kind.is_real:
            contract = Contract(function, text, stable=[argument.name], **options)
            check: Any = contract.derive("everywhere", _SEED)
            if ROBUST in check.shares:
                found.append(argument.name)
    return found


def _has_exponential(function: Any, module: ModuleType, known: tuple[Any, ...] = ()) -> bool:
    """Return whether a function, or one of the module that it calls, takes exponentials."""
    code = getattr(function, "__code__", None)
    if code is None or function in known:
        return False
    if not _EXPONENTIALS.isdisjoint(code.co_names):
        return True
    called = map(vars(module).get, code.co_names)
    return any(_has_exponential(each, module, (*known, function)) for each in called)


def _require_taken(module: ModuleType, contract: Contract) -> None:
    """Raise ContractError unless the right function takes whatever the signature allows, and is constant."""
    for row in _ROWS:
        check: Any = contract.derive(row, _SEED)
        expected = check.cases[0].expected.values()
        if all(value is None for value in expected):
            advice = "name the argument that it changes behind `->`, or return what is asked for"
            raise ContractError(f"{contract.name}: the right function returns nothing; {advice}")
        _, failure = judge_functions(check, vars(module).__getitem__)
        if failure is not None:
            calls = "two calls of the right function with the same arguments"
            advice = "give it what it draws, such as `rng: generator`"
            problem = f"{calls} differ: {failure.what}; {advice}"
            if "complex" in failure.found:
                advice = "return the real and the imaginary part, or let a driver= take them apart"
                problem = f"complex numbers are not compared; {advice}"
            raise ContractError(f"{contract.name}: {problem}")
    list(contract.draw_checks(_SEED, _DRAWN))


def _has_jumps(function: Callable[..., Any], text: str, options: Mapping[str, Any]) -> bool:
    """Return whether some cases of a function are at ties or kinks."""
    every = Contract(function, text, **options)
    smooth = Contract(function, text, **options, cases=WITHOUT_JUMPS)
    return any(_count_cases(every, row) > _count_cases(smooth, row) for row in _ROWS)


def _count_cases(contract: Contract, row: str) -> int:
    return len(contract.derive(row, _SEED).programs)


def _find_gradients(function: Callable[..., Any], signature: Signature, draft: DriverDraft) -> dict[str, str]:
    """Find the parts that are gradients, of the returned loss or behind a cache, by their slopes."""
    loss = ""
    if draft.slopes is None:
        loss = find_loss(signature)
        numbers = [each.name for each in signature.parts if each.kind == ScalarKind("float")]
        if loss not in numbers:
            return {}
    found: dict[str, str] = {}
    for part, argument in product(signature.parts, signature.arguments):
        is_known = part.name in (loss, *found) or argument.name in found.values()
        axes = _list_axes(argument.kind)
        if is_known or not axes or axes != _list_axes(part.kind):
            continue
        gradient = {part.name: argument.name}
        slopes = _write_slopes(draft, gradient)
        contract = Contract(function, draft.text, **draft.options, gradient=slopes)
        with contextlib.suppress(ContractError, SignatureError):
            make_gradient_check(contract, _SEED, tries=_POINTS)
            found |= gradient
    return found


def _list_axes(kind: Kind) -> list[Any]:
    """List the axes of an array of reals or of a number, or of all values of a dict of such; none for others."""
    kinds = [each.kind for each in kind.items] or [kind]
    number = ScalarKind("float")
    are_real = all(each.is_real or each == number for each in kinds)
    return [each.axes for each in kinds] if are_real else []


def _write_slopes(draft: DriverDraft, gradients: dict[str, str]) -> dict[str, str] | Slopes:
    """Return the option `gradient`: of a loss that is returned, or by what the call before returns."""
    return gradients if draft.slopes is None else replace(draft.slopes, by=gradients)
