"""Class draft: turns the signatures of a class into drivers, which make an object and call its methods.

A method is judged by what it returns, and by the attributes that its signature names behind that: students may keep
what they like in others. A driver calls the methods before it that return nothing, in the order of their signatures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any, NamedTuple

from autograder.contracts import Contract, ContractError, SignatureError, parse_signature
from autograder.contracts.signature import Signature
from autograder.plain_text import join_words
from autograder.questions.cache_draft import DriverDraft, make_functions, open_signature

_SEED = "a probe"  # of a call that tells how many values a method returns


class _Call(NamedTuple):
    """A call of a constructor, or of a `method`: the parts of its signature."""

    method: str
    parsed: Signature
    arguments: str
    parts: str
    condition: str

    @property
    def given(self) -> list[str]:
        """The arguments as they are written in a call; those that may be left out are the driver's last ones."""
        names = [each.name for each in self.parsed.arguments if not each.is_optional]
        has_more = len(names) < len(self.parsed.arguments)
        return [*names, "*others"] if has_more else names


def draft_class(module: ModuleType, name: str, texts: Mapping[str, str]) -> list[DriverDraft]:
    """Draft the driver of each method that returns something, or names attributes. `texts`: all signatures, by name.

    Raises SignatureError for a wrong one, ContractError where the right class does not keep what they say.
    """
    reference = getattr(module, name, None)
    if not isinstance(reference, type):
        raise SignatureError(f"the solution defines no class {name}")
    start = _read_call("", texts.get(name, f"{name}()"))
    methods = []
    for key, text in texts.items():
        owner, _, method = key.partition(".")
        if owner != name or not method:
            continue
        if not callable(getattr(reference, method, None)):
            raise SignatureError(f"the solution defines no method {key}")
        methods.append(_read_call(method, text))
    drafted: list[DriverDraft] = []
    before = [start]
    for each in methods:
        count = 0
        if each.parts:
            calls = [*before, each]
            count = _count_returned(module, name, calls)
            drafted.append(_draft_method(module, name, calls, count))
        if count == 0:
            before.append(each)
    if not drafted:
        advice = "write `-> value` behind one that does, or the attributes that it sets"
        raise ContractError(f"{name}: no method returns anything; {advice}")
    return drafted


def _read_call(method: str, text: str) -> _Call:
    """Read the signature of a method, with or without what is returned."""
    whole, _, condition = open_signature(text).partition(" where ")
    arguments, _, parts = (each.strip() for each in whole.partition("->"))
    joined = f"{arguments} -> {parts or 'nothing'}{condition and f' where {condition}'}"
    return _Call(method, parse_signature(joined, name=method or "__init__"), arguments, parts, condition)


def _count_returned(module: ModuleType, owner: str, calls: Sequence[_Call]) -> int:
    """Count the parts that the method returns which is called last; the others are attributes."""
    parts = calls[-1].parsed.parts
    probe = _join(module, owner, calls, _write_driver(owner, calls, [], []), "value")
    contract = Contract(getattr(getattr(module, owner), calls[-1].method), probe.text, **probe.options)
    check: Any = contract.derive("ordinary", _SEED)
    value = check.cases[0].expected["value"]
    return len(value) if isinstance(value, tuple) and len(parts) > 1 else int(value is not None)


def _draft_method(module: ModuleType, owner: str, calls: Sequence[_Call], count: int) -> DriverDraft:
    """Draft the driver of the method that is called last and returns so many parts."""
    parts = [each.name for each in calls[-1].parsed.parts]
    source = _write_driver(owner, calls, parts[:count], parts[count:])
    return _join(module, owner, calls, source, calls[-1].parts)


def _join(module: ModuleType, owner: str, calls: Sequence[_Call], source: str, parts: str) -> DriverDraft:
    """Join the signatures of calls to that of a driver; ContractError where they do not go together."""
    name = f"{owner}.{calls[-1].method}"
    _require_distinct(name, calls)
    arguments = ", ".join(each.arguments for each in calls if each.arguments)
    text = f"{arguments} -> {parts}"
    conditions = [f"({each.condition})" for each in calls if each.condition]
    if conditions:
        text += f" where {' and '.join(conditions)}"
    made = make_functions(source, module)
    driver = made[_name_driver(owner, calls)]
    return DriverDraft(name, text, source, {"driver": driver})


def _require_distinct(name: str, calls: Sequence[_Call]) -> None:
    """Raise ContractError where two calls have an argument of the same name, or one before the last has a default."""
    seen: set[str] = set()
    for call in calls:
        for each in call.parsed.arguments:
            if each.name in seen:
                raise ContractError(f"{name}: two of the calls before it take {each.name}; name them differently")
            if each.is_optional and call is not calls[-1]:
                where = call.method or "the constructor"
                problem = f"an argument of {where} has a default"
                raise ContractError(f"{name}: {problem}; leave that out of its signature")
            seen.add(each.name)


def _name_driver(owner: str, calls: Sequence[_Call]) -> str:
    return f"use_{owner}_{calls[-1].method}".lower()


def _write_driver(owner: str, calls: Sequence[_Call], returned: Sequence[str], attributes: Sequence[str]) -> str:
    """Write the driver that makes an object and calls methods in turn; it returns what the last one does.

    `returned`: names for these values. `attributes`: are returned behind them.
    """
    start, *methods = calls
    last = methods[-1]
    taken = ["student"]
    for each in calls:
        taken += each.given
    parameters = ", ".join(f"{each}: Any" for each in taken)
    told = join_words([each.method for each in methods])
    lines = [f"def {_name_driver(owner, calls)}({parameters}) -> Any:"]
    lines.append(f'    """Make a {owner}, and call {told}."""')
    lines.append(f"    made = student.{owner}({', '.join(start.given)})")
    for each in methods[:-1]:
        lines.append(f"    made.{each.method}({', '.join(each.given)})")
    asked = f"made.{last.method}({', '.join(last.given)})"
    if not attributes:
        lines.append(f"    return {asked}")
        return "\n".join(lines)
    if returned:
        asked = f"{', '.join(returned)} = {asked}"
    lines.append(f"    {asked}")
    read = [f"made.{each}" for each in attributes]
    lines.append(f"    return {', '.join([*returned, *read])}")
    return "\n".join(lines)
