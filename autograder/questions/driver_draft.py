"""Driver draft: turns the signatures of a function that takes a cache, or of a class, into a driver of several calls.

A method is judged by what it returns, and by the attributes that its signature names behind that: students may keep
what they like in others. Before it come the methods that stand before it in the list and change the object, twice where
calls add up, as the steps of an optimiser do. What a constructor draws at random is assigned.
"""

from __future__ import annotations

import contextlib
import copy
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from autograder.contracts import Contract, ContractError, SignatureError, parse_signature
from autograder.contracts.call_values import is_finite
from autograder.contracts.driver import beside, left, sort_items
from autograder.contracts.kinds import Argument
from autograder.contracts.signature import Part, Signature, require_written
from autograder.contracts.sizes import SizeChooser
from autograder.contracts.slopes import Slopes
from autograder.programs.plain_values import are_equal, copy_plain

_SEED = "a probe"
_SORT = "beside(student, sort_items)"
_LONGEST = 120  # characters of a line
_CACHE = re.compile(r"(\w+)\s*:\s*cache of (\w+)\b")
_NAME = re.compile(r"[\w.]+")

Values = Mapping[str, Any]


@dataclass(frozen=True)
class DriverDraft:
    """The signature of a driver, without the `name` of what is tested, its source, and its options as for `Contract`.

    `options`, `source`: empty where one call says all. `slopes`: for a gradient check by what the call before returns,
    without the gradients; `slopes_source`: of its driver, which calls the function `forward`.
    """

    name: str
    text: str
    source: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    slopes: Slopes | None = None
    slopes_source: str = ""
    forward: str = ""


def draft_driver(module: ModuleType, name: str, texts: Mapping[str, str]) -> DriverDraft | None:
    """Draft the driver of a function or a method; others keep their signature. `texts`: all signatures, by name.

    None for a constructor, an attribute, and a method of which nothing is named. Raises SignatureError for a wrong
    text, ContractError where the right solution does not keep what they say.
    """
    owner, _, method = name.rpartition(".")
    text = texts[name]
    if owner:
        return None if _is_attribute(name, text) else _draft_method(module, owner, method, texts)
    if isinstance(getattr(module, name, None), type):
        return None
    found = _CACHE.search(text)
    if found is not None:
        return _draft_cache(module, name, texts, *found.groups())
    parse_signature(text)  # whole, as an error shows it
    signed = _read(name, text)
    kinds = [each.kind for each in signed.parsed.arguments] + [each.kind for each in signed.parsed.parts]
    with contextlib.suppress(Exception):  # one call shows what is wrong
        steps, asked = _Steps(module).call(f"student.{name}", signed, is_last=True)
        if not any(each.items for each in kinds) and _has_items(steps.run(asked, steps.sample()[0])):
            what = f"Call {name}, and sort the items of what it returns."
            return _finish(name, what, steps, f"{_SORT}({asked})", signed.returned, None)
    return DriverDraft(name, signed.opened)


def _has_items(value: Any) -> bool:
    """Tell whether a dict or a set is in a value: keys need not cross, and none may be too many."""
    if isinstance(value, (list, tuple)):
        return any(map(_has_items, value))
    return isinstance(value, (dict, set, frozenset))


def _is_attribute(name: str, text: str) -> bool:
    """Tell whether a text is that of an attribute: `Linear.W: (D, M)`."""
    return text[len(name) :].lstrip().startswith(":")


class _Signed(NamedTuple):
    """A signature, with the texts of its arguments, of what it returns, and of its condition."""

    parsed: Signature
    texts: Sequence[str]
    returned: str
    condition: str

    @property
    def opened(self) -> str:
        """The text without the name, as `x: (N, D) -> out`."""
        return _join(self.texts, self.returned, self.condition)

    @property
    def parts(self) -> list[str]:
        """The names of the parts."""
        return [each.name for each in self.parsed.parts] if self.returned else []


def _read(name: str, text: str) -> _Signed:
    """Read a signature, with or without what is returned."""
    ends = _find_ends(text)
    if not ends:
        parse_signature(text)
    starts = [text.index("("), *ends[:-1]]
    arguments = [text[start + 1 : end].strip() for start, end in zip(starts, ends, strict=True)]
    behind, _, condition = text[ends[-1] + 1 :].partition(" where ")
    returned = behind.partition("->")[2].strip()
    texts = list(filter(None, arguments))
    parsed = parse_signature(_join(texts, returned or "nothing", condition), name=name)
    return _Signed(parsed, texts, returned, condition)


def _join(arguments: Sequence[str], returned: str, condition: str) -> str:
    return f"{', '.join(arguments)} -> {returned}{condition and f' where {condition}'}"


def _find_ends(text: str) -> list[int]:
    """Find where the arguments of a signature end: at a comma, and the last one at the closing bracket."""
    ends, depth = [], 0
    for place in range(text.index("("), len(text)) if "(" in text else ():
        depth += (text[place] in "([{") - (text[place] in ")]}")
        if depth == 0 or (depth == 1 and text[place] == ","):
            ends.append(place)
        if depth == 0:
            return ends
    return []


@dataclass(frozen=True)
class _Steps:
    """The first steps of a driver: its arguments with their texts, what is said of them, and its lines.

    `optional`: how many of the last arguments callers may leave out.
    """

    module: ModuleType
    arguments: Mapping[str, Argument] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    conditions: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    optional: int = 0

    def add(self, line: str) -> _Steps:
        """Add a line."""
        return replace(self, lines=(*self.lines, line))

    def call(self, function: str, signed: _Signed, *, local: str = "", is_last: bool = False) -> tuple[_Steps, str]:
        """Add the arguments of a call, and return its text; another number than one of the same name is renamed.

        `local`: an argument that the driver makes; then all of one name are the same. `is_last`: what has a default may
        be left out.
        """
        arguments, texts = dict(self.arguments), dict(self.texts)
        names = {local: local}
        for each, text in zip(signed.parsed.arguments, signed.texts, strict=True):
            is_same = local or each.kind.is_size or (each.kind.is_array and self.texts.get(each.name) == text)
            name = names.setdefault(each.name, each.name if is_same else self._name(each.name))
            if name not in (local, *texts):
                kept = text if is_last or each.default is None else text.rpartition("=")[0].rstrip()
                arguments[name], texts[name] = each, name + kept[len(each.name) :]
        condition = _NAME.sub(lambda found: names.get(found[0], found[0]), signed.condition)
        conditions = tuple(filter(None, (*self.conditions, condition)))
        optional = [each for each in signed.parsed.arguments if each.is_optional and is_last]
        given = [names[each.name] for each in signed.parsed.arguments if each not in optional]
        if optional:
            given.append("*others")
        steps = replace(self, arguments=arguments, texts=texts, conditions=conditions, optional=len(optional))
        return steps, f"{function}({', '.join(given)})"

    def _name(self, name: str) -> str:
        """Name an argument beside those that there are."""
        others = [f"{name}{number}" for number in range(2, len(self.texts) + 2)]
        return next(each for each in (name, *others) if each not in self.texts)

    def write(self, name: str, what: str, returned: str) -> str:
        """Write the driver."""
        taken = ["student", *self.texts]
        if self.optional:
            taken[-self.optional :] = ["*others"]
        parameters = ", ".join(f"{each}: Any" for each in taken)
        head = f"def {name}({parameters}) -> Any:"
        if len(head) > _LONGEST:
            head = f"def {name}(\n    {parameters}\n) -> Any:"
        return "\n".join([head, f'    """{what}"""', *(f"    {each}" for each in (*self.lines, f"return {returned}"))])

    def write_text(self, returned: str) -> str:
        """Write the signature of the driver."""
        conditions = [f"({each})" if " or " in each else each for each in self.conditions]
        return _join([*self.texts.values()], returned, " and ".join(conditions))

    def sample(self) -> list[Values]:
        """Draw the arguments of some cases."""
        check: Any = Contract(_return_one, self.write_text("one")).derive("ordinary", _SEED)
        return [dict(zip(self.texts, case.arguments, strict=False)) for case in check.cases]

    def run(self, returned: str, values: Values) -> Any:
        """Run the driver on the right solution, with its own among the values."""
        made = make_functions(self.write("probe", "", returned), self.module)
        given = [values[name] for name in self.texts if name in values]
        with np.errstate(all="ignore"):
            return made["probe"](self.module, *copy.deepcopy(given))

    def read_states(self, samples: Sequence[Values]) -> list[Any]:
        """Read the attributes of the object that it makes."""
        return [copy_plain(vars(self.run("made", each))) for each in samples]


def _return_one(*_arguments: Any) -> float:
    return 1.0


def make_functions(source: str, module: ModuleType) -> dict[str, Any]:
    """Make the functions of a drafted source; `module`: the right one."""
    made: dict[str, Any] = {"reference": module, "Any": Any, "left": left}
    made |= {"beside": beside, "sort_items": sort_items}
    exec(source, made)  # noqa: S102  (the source is written here)
    return made


@dataclass(frozen=True)
class _Value:
    """What a call before returns: the driver that returns it, the function and its parts."""

    steps: _Steps
    returned: str
    function: str
    parts: Sequence[Part]


_Before = tuple[_Steps, _Value | None]


def _draft_cache(module: ModuleType, name: str, texts: Mapping[str, str], cache: str, maker: str) -> DriverDraft:
    """Draft the driver of a function that takes the cache of another one."""
    if maker not in texts:
        raise SignatureError(f"{name} takes the cache of {maker}, which has no signature")
    first, own = _read(maker, texts[maker]), _read(name, _CACHE.sub(f"{cache}: any", texts[name]))
    if "cache" not in first.parts:
        raise SignatureError(f"{name} takes the cache of {maker}, which returns no part named cache")
    steps, made = _Steps(module).call(f"student.{maker}", first)
    names = [cache if each == "cache" else f"_{each}" for each in first.parts]
    shown = [f"_{each}" if each == "cache" else each for each in first.parts]
    parts = [each for each in first.parsed.parts if each.name != "cache"]
    value = _Value(steps.add(f"{', '.join(shown)} = {made}"), ", ".join(each.name for each in parts), maker, parts)
    whole, asked = steps.add(f"{', '.join(names)} = {made}").call(f"student.{name}", own, local=cache, is_last=True)
    return _finish(name, f"Give {name} the cache of the student's own {maker}.", whole, asked, own.returned, value)


def _finish(name: str, what: str, steps: _Steps, asked: str, parts: str, value: _Value | None) -> DriverDraft:
    """Write a draft; what the sizes of `value` say, is drawn in them."""
    stem = name.replace(".", "_").lower()
    driver = f"run_{stem}"
    if value is None:
        source = steps.write(driver, what, asked)
        options = {"driver": make_functions(source, steps.module)[driver]}
        return DriverDraft(name, steps.write_text(parts), source, options)
    times = [each for each in steps.texts if each not in value.steps.texts]
    places = {each: place for each in times if (place := _find_place(name, steps.arguments[each], value)) is not None}
    texts = {each: f"{each}: any" if each in places else text for each, text in steps.texts.items()}
    steps = replace(steps, texts=texts)
    given = replace(value.steps, arguments=steps.arguments, texts=texts, optional=steps.optional)
    shown = given.write(f"return_for_{stem}", f"Return what the student's own {value.function} does.", value.returned)
    draws = [_write_draw(f"draw_{each}_of_{stem}", value, places[each]) for each in places]
    source = "\n\n\n".join([steps.write(driver, what, asked), *draws])
    made = make_functions(f"{source}\n\n\n{shown}", steps.module)
    options = {"driver": made[driver]}
    if places:
        options["draw"] = {each: made[f"draw_{each}_of_{stem}"] for each in places}
    slopes = Slopes({}, of=made[f"return_for_{stem}"], times=times)
    return DriverDraft(name, steps.write_text(parts), source, options, slopes, shown, value.function)


def _find_place(name: str, argument: Argument, value: _Value) -> int | None:
    """Find the part of a value that has the sizes of an argument; None where the arguments before it have them."""
    before = parse_signature(value.steps.write_text("value"), name=name)
    known = {*SizeChooser(before).names, *(leaf.name for _, leaf in before.list_leaves())}
    unknown = sorted({*argument.kind.list_sizes()} - known)
    if not argument.kind.axes or not unknown:
        return None
    for place, part in enumerate(value.parts):
        if part.kind.axes == argument.kind.axes:
            return place
    problem = f"{name}: nothing says how large {unknown[0]} is, an axis of {argument.name}"
    raise SignatureError(f"{problem}; name it in another argument, or in what {value.function} returns")


def _write_draw(name: str, value: _Value, place: int) -> str:
    """Write the function that draws an array of the size of a part of the value."""
    lines = [f"{each} = {_write_known(each, argument)}" for each, argument in value.steps.arguments.items()]
    lines += [each.replace("student.", "reference.") for each in value.steps.lines]
    part = f"({value.returned})[{place}]" if len(value.parts) > 1 else value.returned
    what = f'"""Draw an array of the size of what {value.function} returns."""'
    head = f"def {name}(known: Any, rng: Any, style: str) -> Any:"
    return "\n    ".join([head, what, *lines, f"return rng.normal(size={part}.shape)"])


def _write_known(name: str, argument: Argument) -> str:
    """Write an argument as what is drawn before has it: the keys of a dict one by one."""
    if not argument.kind.items:
        return f'known["{name}"]'
    items = ", ".join(f'"{each.name}": known["{each.name}"]' for each in argument.kind.items)
    return f"{{{items}}}"


def _draft_method(module: ModuleType, owner: str, method: str, texts: Mapping[str, str]) -> DriverDraft | None:
    """Draft the driver of a method; None where its signature names nothing that could be compared."""
    name, call = f"{owner}.{method}", f"made.{method}"
    if not isinstance(getattr(module, owner, None), type):
        raise SignatureError(f"the solution defines no class {owner}")
    require_written(find_function(module, name), texts[name])
    own = _read(method, texts[name])
    if not own.returned:
        return None
    steps, value = _choose(name, own, _list_before(module, owner, method, texts))
    if _repeat(steps, call, own) is not None:
        (steps, asked), value = steps.call(call, own), None
        steps = steps.add(asked)
    whole, asked = steps.call(call, own)
    made, result = whole.run(f"(made, {asked})", whole.sample()[0])
    count = len(result) if isinstance(result, tuple) and len(own.parts) > 1 else int(result is not None)
    whole, asked = steps.call(call, own, is_last=True)
    returned, others = own.parts[:count], own.parts[count:]
    if others:
        whole = whole.add(f"{', '.join(returned)} = {asked}" if returned else asked)
        read = []
        for each in others:
            is_left = each in whole.texts and not hasattr(made, each)
            shown = f"left(student, {each})" if is_left else f"made.{each}"
            read.append(f"{_SORT}({shown})" if _has_items(getattr(made, each, None)) else shown)
        asked = ", ".join([*returned, *read])
    elif _has_items(result):
        asked = f"{_SORT}({asked})"
    if value is not None:
        new = [each.kind.axes for name, each in whole.arguments.items() if name not in value.steps.texts]
        value = value if new == [each.kind.axes for each in value.parts] else None
    return _finish(name, f"Make a {owner}, and call {method}.", whole, asked, own.returned, value)


def find_function(module: ModuleType, name: str) -> Any:
    """Find a function, or a method by the name of its class and its own; SignatureError where there is none."""
    owner, _, method = name.rpartition(".")
    function = getattr(getattr(module, owner) if owner else module, method, None)
    if not callable(function) or isinstance(function, type):
        raise SignatureError(f"the solution defines no {'method' if owner else 'function'} {name}")
    return function


def _choose(name: str, own: _Signed, before: Sequence[_Before]) -> _Before:
    """Choose the most calls before a method, behind which the right solution takes it."""
    problems: list[Exception] = []
    for steps, value in reversed(before):
        whole, asked = steps.call(f"made.{own.parsed.name}", own)
        try:
            results = [copy_plain(whole.run(asked, each)) for each in whole.sample()]
            if any(map(is_finite, results)):
                return steps, value
            problems.append(ValueError("its values are not finite"))
        except Exception as error:  # noqa: BLE001  (of the right solution's, which may raise anything)
            problems.append(error)
    first = problems[0]
    if isinstance(first, (ContractError, SignatureError)):
        raise ContractError(str(first).replace(_return_one.__name__, name)) from first
    raise ContractError(f"{name}: the right solution fails: {type(first).__name__}: {first}") from first


def _list_before(module: ModuleType, owner: str, method: str, texts: Mapping[str, str]) -> list[_Before]:
    """List steps before a method, each with one call more of those that are listed before it and change the object."""
    steps, made = _Steps(module).call(f"student.{owner}", _read(owner, texts.get(owner, f"{owner}()")))
    steps = _assign(steps.add(f"made = {made}"), owner, texts)
    found: list[_Before] = [(steps, None)]
    names = [*texts]
    for name in names[: names.index(f"{owner}.{method}")]:
        if not name.startswith(f"{owner}.") or _is_attribute(name, texts[name]):
            continue
        other = name.rpartition(".")[2]
        signed = _read(other, texts[name])
        called, asked = steps.call(f"made.{other}", signed)
        try:
            samples = called.sample()
            is_same = are_equal(called.add(asked).read_states(samples), steps.read_states(samples))
        except Exception:  # noqa: BLE001, S112  (of the right solution's; what is said of that method says it)
            continue
        if not is_same:
            twice = _repeat(steps, f"made.{other}", signed)
            is_value = bool(signed.returned) and twice is None
            value = _Value(called, asked, other, signed.parsed.parts) if is_value else None
            steps = twice or called.add(asked)
            found.append((steps, value))
    return found


def _repeat(steps: _Steps, call: str, signed: _Signed) -> _Steps | None:
    """Return the steps with two calls behind them, if the object then differs from one that got the second alone."""
    once, first = steps.call(call, signed)
    twice, second = once.call(call, signed)
    both = twice.add(first).add(second)
    try:
        samples = twice.sample()
        is_same = are_equal(both.read_states(samples), twice.add(second).read_states(samples))
    except Exception:  # noqa: BLE001  (of the right solution's, which may not take two)
        return None
    return None if is_same else both


def _assign(steps: _Steps, owner: str, texts: Mapping[str, str]) -> _Steps:
    """Assign the attributes that have a signature, and arrays where the constructor draws any at random."""
    listed = [name for name in texts if name.startswith(f"{owner}.") and _is_attribute(name, texts[name])]
    kinds = {name.rpartition(".")[2]: texts[name].partition(":")[2] for name in listed}
    sizes = [name for name, each in steps.arguments.items() if each.kind.is_size]
    probe = (
        {"_probe": f"_probe: ({', '.join(sizes)},)"} if sizes else {}
    )  # where sizes are those of an array, they differ
    values = replace(steps, texts={**steps.texts, **probe}).sample()[0]
    made, other = steps.run("made", values), steps.run("made", values)
    if not are_equal(copy_plain(vars(made)), copy_plain(vars(other))):
        known = {values[name]: name for name in sizes} | {1: "1"}
        for name, value in vars(made).items():
            if isinstance(value, np.ndarray) and value.ndim and value.dtype.kind == "f" and name not in kinds:
                if not known.keys() >= {*value.shape}:
                    problem = f"{owner}: the constructor draws {name}, of a size that no argument has"
                    raise ContractError(f"{problem}; write `{owner}.{name}: (its sizes)`")
                axes = ", ".join(known[length] for length in value.shape)
                kinds[name] = f"({axes},)" if value.ndim == 1 else f"({axes})"
    for name, kind in kinds.items():
        steps, given = steps.call("", _read(name, f"{name}({name}: {kind.strip()})"))
        steps = steps.add(f"made.{name} = {given[1:-1]}")
    return steps
