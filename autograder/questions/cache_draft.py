"""Cache draft: turns the signature of a function that takes a cache into a driver, which calls what makes the cache."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from autograder.contracts import SignatureError, parse_signature
from autograder.contracts.kinds import Argument
from autograder.contracts.signature import Signature
from autograder.contracts.slopes import Slopes

_LONGEST = 120  # characters of a line
_CACHE = re.compile(r"(\w+)\s*:\s*cache of (\w+)\b")


@dataclass(frozen=True)
class DriverDraft:
    """The signature of a driver, without the `name` of what is tested, its source, and its options as for `Contract`.

    `options`, `source`: empty where one call says all. `slopes`: for a gradient check of a function that takes a cache,
    without the gradients; `slopes_source`: of its driver, which calls the function `forward`.
    """

    name: str
    text: str
    source: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    slopes: Slopes | None = None
    slopes_source: str = ""
    forward: str = ""


def draft_cache(module: ModuleType, name: str, texts: Mapping[str, str]) -> DriverDraft:
    """Draft the driver of a function that takes a cache; others keep their signature. `texts`: signatures by name."""
    text = texts[name]
    found = _CACHE.search(text)
    if found is None:
        parse_signature(text)  # whole, as an error shows it
        return DriverDraft(name, open_signature(text))
    cache, maker = found.groups()
    if maker not in texts:
        raise SignatureError(f"{name} takes the cache of {maker}, which has no signature")
    first, own = parse_signature(texts[maker]), parse_signature(_CACHE.sub(f"{cache}: any", text))
    if "cache" not in [each.name for each in first.parts]:
        raise SignatureError(f"{name} takes the cache of {maker}, which returns no part named cache")
    return _Drafter(name, cache, first, own).draft(module, texts[maker], text)


class _Drafter:
    """Writes the driver; `first`: the signature of the function that makes the cache, `own`: of that which takes it."""

    def __init__(self, name: str, cache: str, first: Signature, own: Signature) -> None:
        self.name, self.cache = name, cache
        self.first, self.own = first, own
        self.given = [each.name for each in first.arguments]
        self.times = [each.name for each in own.arguments if each.name not in (cache, *self.given)]

    def draft(self, module: ModuleType, first: str, own: str) -> DriverDraft:
        """Draft it from the texts of the two signatures."""
        before, _, first_condition = _split_signature(first)
        after, returned, own_condition = _split_signature(own)
        drawn = {each.name: place for each in self.own.arguments if (place := self._find_place(each)) is not None}
        arguments = [_drop_default(*each) for each in zip(before, self.first.arguments, strict=True)]
        for text, each in zip(after, self.own.arguments, strict=True):
            if each.name not in (self.cache, *self.given):
                arguments.append(f"{each.name}: any" if each.name in drawn else text)
        condition = " and ".join(filter(None, [first_condition, own_condition]))
        joined = f"{', '.join(arguments)} -> {returned}" + f" where {condition}" * bool(condition)
        names = {each: f"draw_{each}_of_{self.name}" for each in drawn}
        sources = [self._write_driver(), *(self._write_draw(names[each], drawn[each]) for each in drawn)]
        made = make_functions("\n\n\n".join([*sources, self._write_value()]), module)
        options: dict[str, Any] = {"driver": made[f"run_{self.name}"]}
        options |= {"draw": {each: made[names[each]] for each in drawn}} if drawn else {}
        slopes = Slopes({}, of=made[f"return_for_{self.name}"], times=self.times)
        source = "\n\n\n".join(sources)
        return DriverDraft(self.name, joined, source, options, slopes, self._write_value(), self.first.name)

    def _find_place(self, argument: Argument) -> int | None:
        """Find the part of the first function that has the sizes of an argument; None where the arguments have them."""
        known = {name for _, leaf in self.first.list_leaves() for name in {leaf.name, *_list_names(leaf)}}
        unknown = sorted(_list_names(argument) - known)
        if not argument.kind.axes or not unknown:
            return None
        for place, part in enumerate(self.first.parts):
            if part.kind.axes == argument.kind.axes:
                return place
        problem = f"{self.name}: nothing says how large {unknown[0]} is, an axis of {argument.name}"
        raise SignatureError(f"{problem}; name it in another argument, or in what {self.first.name} returns")

    def _write_driver(self) -> str:
        taken = [each.name for each in self.own.arguments]
        unpacked = [self.cache if each.name == "cache" else f"_{each.name}" for each in self.first.parts]
        what = f"Give {self.name} the cache of the student's own {self.first.name}."
        returned = f"student.{self.name}({', '.join(taken)})"
        return self._write_function(f"run_{self.name}", what, unpacked, returned)

    def _write_value(self) -> str:
        """Write the driver of the value whose slopes the gradients are."""
        unpacked = [f"_{each.name}" if each.name == "cache" else each.name for each in self.first.parts]
        returned = ", ".join(each.name for each in self.first.parts if each.name != "cache")
        what = f"Return what the student's own {self.first.name} does."
        return self._write_function(f"return_for_{self.name}", what, unpacked, returned)

    def _write_function(self, name: str, what: str, unpacked: Sequence[str], returned: str) -> str:
        parameters = ", ".join(f"{each}: Any" for each in ("student", *self.given, *self.times))
        line = f"def {name}({parameters}) -> Any:"
        head = line if len(line) <= _LONGEST else f"def {name}(\n    {parameters}\n) -> Any:"
        return (
            f"{head}\n"
            f'    """{what}"""\n'
            f"    {', '.join(unpacked)} = student.{self.first.name}({', '.join(self.given)})\n"
            f"    return {returned}"
        )

    def _write_draw(self, name: str, place: int) -> str:
        lines = "".join(f"    {each.name} = {_write_known(each)}\n" for each in self.first.arguments)
        return (
            f"def {name}(known: Any, rng: Any, style: str) -> Any:\n"
            f'    """Draw an array of the size of what {self.first.name} returns."""\n'
            f"{lines}"
            f"    returned = reference.{self.first.name}({', '.join(self.given)})\n"
            f"    return rng.normal(size=returned[{place}].shape)"
        )


def _list_names(argument: Argument) -> set[str]:
    """List the names of sizes in a kind."""
    return {name for each in argument.kind.list_expressions() for name in each.names}


def _write_known(argument: Argument) -> str:
    """Write an argument as what is drawn before has it: the keys of a dict one by one."""
    if not argument.kind.items:
        return f'known["{argument.name}"]'
    items = ", ".join(f'"{each.name}": known["{each.name}"]' for each in argument.kind.items)
    return f"{{{items}}}"


def _drop_default(text: str, argument: Argument) -> str:
    """Drop a default, since others stand behind the argument."""
    return text if argument.default is None else text.rpartition("=")[0].rstrip()


def _split_signature(text: str) -> tuple[list[str], str, str]:
    """Split a signature into the texts of its arguments, of its parts and of its condition."""
    ends = _find_ends(text)
    starts = [text.index("("), *ends[:-1]]
    arguments = [text[start + 1 : end].strip() for start, end in zip(starts, ends, strict=True)]
    returned, _, condition = text[ends[-1] + 1 :].partition("->")[2].partition(" where ")
    return list(filter(None, arguments)), returned.strip(), condition.strip()


def open_signature(text: str) -> str:
    """Return `x: (N, D) -> out` of a signature `f(x: (N, D)) -> out`; a text that ends inside of it as it is."""
    ends = _find_ends(text)
    return (text[text.index("(") + 1 : ends[-1]] + text[ends[-1] + 1 :]).strip() if ends else text


def _find_ends(text: str) -> list[int]:
    """Find where the arguments of a signature end: at a comma, and the last one at the closing bracket."""
    ends, depth = [], 0
    for place in range(text.index("("), len(text)):
        depth += (text[place] in "([{") - (text[place] in ")]}")
        if depth == 0 or (depth == 1 and text[place] == ","):
            ends.append(place)
        if depth == 0:
            return ends
    return []


def make_functions(source: str, module: ModuleType) -> dict[str, Any]:
    """Make the functions of a drafted source; `module`: the right one."""
    made: dict[str, Any] = {"reference": module, "Any": Any}
    exec(source, made)  # noqa: S102  (the source is written here)
    return made
