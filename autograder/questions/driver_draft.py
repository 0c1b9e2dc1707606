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
from autograder.contracts.call_values import is_finite, is_real
from autograder.contracts.driver import in_worker, left, sort_items
from autograder.contracts.kinds import Argument, ScalarKind
from autograder.contracts.promised import Slopes
from autograder.contracts.signature import Part, Signature, require_written
from autograder.contracts.sizes import SizeChooser
from autograder.programs.plain_values import are_equal, copy_plain
from autograder.programs.recipes import STANDING

_SEED = "a probe"
_SORT = "in_worker(student, sort_items)"
_LONGEST = 120  # characters of a line
_CACHE = re.compile(r"(\w+)\s*:\s*cache of (\w+)\b")
_NAME = re.compile(r"[\w.]+")

Texts = Mapping[str, str]  # signatures, by the names of functions, methods and attributes
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


def draft_driver(module: ModuleType, name: str, texts: Texts) -> DriverDraft | None:
    """Draft the driver of a function or a method; others keep their signature. `texts`: all signatures, by name.

    None for a constructor, an attribute, and a method of which nothing is named. Raises SignatureError for a wrong
    text, ContractError where the right solution does not keep what they say.
    """
    owner, _, method = name.rpartition(".")
    text = texts[name]
    if owner:
        if _is_attribute(name, text):
            return None
        return _draft_method(module, owner, method, texts)
    if isinstance(getattr(module, name, None), type):
        return None
    found = _CACHE.search(text)
    if found is not None:
        return _draft_cache(module, name, texts, *found.groups())
    parse_signature(text)  # whole, as an error shows it
    signed = _read(name, text)
    with contextlib.suppress(Exception):  # one call shows what is wrong
        steps, asked = _Steps(module).call(f"student.{name}", signed, is_last=True)
        values, *_ = steps.sample()
        result = steps.run(asked, values)
        parts = {*signed.parts}
        if result is None and parts <= steps.texts.keys():  # they are arguments that it changes
            steps, asked = _return_parts(steps, asked, signed, None, None)
        is_sorted = not signed.names_items and _has_items(result)
        if is_sorted or steps.lines:
            asked = f"{_SORT}({asked})" if is_sorted else asked
            return _finish(name, steps, asked, signed.returned, None)
    opened = _join(signed.texts, signed.returned, signed.condition)  # without the name
    return DriverDraft(name, opened)


def _has_items(value: Any) -> bool:
    """Return whether a dict or a set is in a value: keys need not cross, and none may be too many."""
    if isinstance(value, (list, tuple)):
        return any(map(_has_items, value))
    return isinstance(value, (dict, set, frozenset))


def _is_attribute(name: str, text: str) -> bool:
    """Return whether a text is the signature of an attribute: `Linear.W: (D, M)`."""
    return text[len(name) :].lstrip().startswith(":")


class _Signed(NamedTuple):
    """A signature, with the texts of its arguments, of what it returns, and of its condition."""

    parsed: Signature
    texts: Sequence[str]
    returned: str
    condition: str

    @property
    def parts(self) -> list[str]:
        """The names of the parts."""
        return [each.name for each in self.parsed.parts] if self.returned else []

    @property
    def names_items(self) -> bool:
        """Whether it says the keys of a dict, which then are parts, or may be kept."""
        if any(each.kind.items for each in self.parsed.arguments):
            return True
        return any(each.kind.items for each in self.parsed.parts)


def _read(name: str, text: str) -> _Signed:
    """Read a signature, with or without what is returned."""
    ends = _find_ends(text)
    if not ends:
        parse_signature(text)
    texts = []
    start = text.index("(")
    for end in ends:
        texts.append(text[start + 1 : end].strip())
        start = end
    texts = list(filter(None, texts))
    behind, _, condition = text[start + 1 :].partition(" where ")
    _, _, returned = behind.partition("->")
    returned = returned.strip()
    parsed = parse_signature(_join(texts, returned or "nothing", condition), name=name)
    return _Signed(parsed, texts, returned, condition)


def _join(arguments: Sequence[str], returned: str, condition: str) -> str:
    text = f"{', '.join(arguments)} -> {returned}"
    return f"{text} where {condition}" if condition else text


def _find_ends(text: str) -> list[int]:
    """Find where the arguments of a signature end: at a comma, and the last one at the closing bracket."""
    ends, depth = [], 0
    for place, character in enumerate(text):
        if character in "([{":
            depth += 1
        elif character == "," and depth == 1:
            ends.append(place)
        elif character in ")]}":
            depth -= 1
            if depth == 0:
                return [*ends, place]
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

    def call(
        self, function: str, signed: _Signed, *, local: str = "", is_last: bool = False, prefix: str = ""
    ) -> tuple[_Steps, str]:
        """Add the arguments of a call, and return its text; another number than one of the same name is renamed.

        `local`: an argument that the driver makes; then all of one name are the same. `is_last`: what has a default may
        be left out. `prefix`: of the names of all arguments but sizes.
        """
        arguments, texts = dict(self.arguments), dict(self.texts)
        names = {local: local}
        given, lines = [], [*self.lines]
        optional = 0
        for each, text in zip(signed.parsed.arguments, signed.texts, strict=True):
            is_alike = each.kind.is_array and not prefix and self.texts.get(each.name) == text
            is_same = local or is_alike or each.kind.is_size
            new = each.name if is_same else self._name(prefix + each.name)
            name = names.setdefault(each.name, new)
            if name not in (local, *texts):
                kept = text
                if each.default is not None and not is_last:
                    kept = text.rpartition("=")[0].rstrip()
                arguments[name] = each
                texts[name] = name + kept[len(each.name) :]
            if is_last and each.is_optional:
                optional += 1
            else:
                given.append(name)
            if hasattr(self.module, f"make_{each.kind.word}"):
                lines.append(f"{name} = in_worker(student, reference.make_{each.kind.word})({name})")
        if optional:
            given.append("*others")
        condition = _NAME.sub(lambda found: names.get(found[0], found[0]), signed.condition)
        conditions = tuple(filter(None, (*self.conditions, condition)))
        steps = _Steps(self.module, arguments, texts, conditions, tuple(lines), optional)
        return steps, f"{function}({', '.join(given)})"

    def _name(self, name: str) -> str:
        """Name an argument unlike any other."""
        made, number = name, 1
        while made in self.texts:
            number += 1
            made = f"{name}{number}"
        return made

    def write(self, name: str, what: str, returned: str) -> str:
        """Write the driver."""
        taken = ["student", *self.texts]
        if self.optional:
            taken[-self.optional :] = ["*others"]
        parameters = ", ".join(f"{each}: Any" for each in taken)
        head = f"def {name}({parameters}) -> Any:"
        if len(head) > _LONGEST:
            rows = parameters.replace(", ", ",\n    ")
            head = f"def {name}(\n    {rows},\n) -> Any:"
        body = [f'"""{what}"""', *self.lines, f"return {returned}"]
        return "\n    ".join([head, *body])

    def write_text(self, returned: str) -> str:
        """Write the signature of the driver."""
        conditions = [f"({each})" if " or " in each else each for each in self.conditions]
        condition = " and ".join(conditions)
        return _join(list(self.texts.values()), returned, condition)

    def sample(self) -> list[Values]:
        """Draw the arguments of some cases."""
        text = self.write_text("one")
        contract = Contract(_return_one, text, draw=find_draws(self.module, text))
        check: Any = contract.derive("ordinary", _SEED)
        samples: list[Values] = []
        for case in check.cases:
            samples.append(dict(zip(self.texts, case.arguments, strict=False)))
        return samples

    def run(self, returned: str, values: Values) -> Any:
        """Run the driver on the right solution, with its own among the values."""
        made = make_functions(self.write("probe", "", returned), self.module)
        made["in_worker"] = lambda _student, function: function
        given = []
        for name in filter(values.__contains__, self.texts):
            value = values[name]
            made_alone = value.build() if isinstance(value, STANDING) else copy.deepcopy(value)
            given.append(made_alone)
        with np.errstate(all="ignore"):
            return made["probe"](self.module, *given)

    def read_states(self, samples: Sequence[Values]) -> list[Any]:
        """Read the attributes of the object that it makes."""
        return [copy_plain(vars(self.run("made", each))) for each in samples]


def find_draws(module: ModuleType, text: str) -> dict[str, Any]:
    """Find the functions of a solution that draw arguments: `draw_graph` for each that its signature calls `graph`."""
    leaves = parse_signature(text, name=_return_one.__name__).list_leaves()
    drawn = {}
    for _, each in leaves:
        draw = getattr(module, f"draw_{each.kind.word}", None)
        if draw is not None:
            drawn[each.name] = draw
    return drawn


def _return_one(*_arguments: Any) -> float:
    return 1.0


def make_functions(source: str, module: ModuleType) -> dict[str, Any]:
    """Make the functions of a drafted source; `module`: the right one."""
    made = {"reference": module, "Any": Any, "left": left, "in_worker": in_worker, "sort_items": sort_items}
    made["__name__"] = __name__
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


def _draft_cache(module: ModuleType, name: str, texts: Texts, cache: str, maker: str) -> DriverDraft:
    """Draft the driver of a function that takes the cache of another one."""
    if maker not in texts:
        raise SignatureError(f"{name} takes the cache of {maker}, which has no signature")
    first = _read(maker, texts[maker])
    own = _read(name, _CACHE.sub(f"{cache}: any", texts[name]))
    if "cache" not in first.parts:
        raise SignatureError(f"{name} takes the cache of {maker}, which returns no part named cache")
    steps, made = _Steps(module).call(f"student.{maker}", first)
    shown = ["_cache" if each == "cache" else each for each in first.parts]
    parts = [each for each in first.parsed.parts if each.name != "cache"]
    returned = ", ".join(each.name for each in parts)
    value = _Value(steps.add(f"{', '.join(shown)} = {made}"), returned, maker, parts)
    names = [cache if each == "cache" else f"_{each}" for each in first.parts]
    whole = steps.add(f"{', '.join(names)} = {made}")
    whole, asked = whole.call(f"student.{name}", own, local=cache, is_last=True)
    return _finish(name, whole, asked, own.returned, value)


def _finish(name: str, steps: _Steps, asked: str, parts: str, value: _Value | None) -> DriverDraft:
    """Write a draft; what the sizes of `value` say, is drawn in them."""
    what = f"Call {name} behind what it needs."
    stem = name.replace(".", "_").lower()
    driver = f"run_{stem}"
    if value is None:
        source = steps.write(driver, what, asked)
        options = {"driver": make_functions(source, steps.module)[driver]}
        return DriverDraft(name, steps.write_text(parts), source, options)
    times = [each for each in steps.texts if each not in value.steps.texts]
    places = {}
    texts = dict(steps.texts)
    for each in times:
        place = _find_place(name, steps.arguments[each], value)
        if place is not None:
            places[each] = place
            texts[each] = f"{each}: any"
    steps = replace(steps, texts=texts)
    given = replace(value.steps, arguments=steps.arguments, texts=texts, optional=steps.optional)
    what_before = f"Return what the student's own {value.function} does."
    shown = given.write(f"return_for_{stem}", what_before, value.returned)
    draws = [_write_draw(f"draw_{each}_of_{stem}", value, places[each]) for each in places]
    written = [steps.write(driver, what, asked), *draws]
    source = "\n\n\n".join(written)
    made = make_functions(f"{source}\n\n\n{shown}", steps.module)
    options = {"driver": made[driver]}
    if places:
        options["draw"] = {each: made[f"draw_{each}_of_{stem}"] for each in places}
    slopes = Slopes({}, of=made[f"return_for_{stem}"], times=times)
    return DriverDraft(name, steps.write_text(parts), source, options, slopes, shown, value.function)


def _find_place(name: str, argument: Argument, value: _Value) -> int | None:
    """Find the part of a value that has the sizes of an argument; None where the arguments before it have them."""
    before = parse_signature(value.steps.write_text("value"), name=name)
    known = set(SizeChooser(before).names)
    for _, leaf in before.list_leaves():
        known.add(leaf.name)
    unknown = sorted(set(argument.kind.list_sizes()) - known)
    if not argument.kind.axes or not unknown:
        return None
    for place, part in enumerate(value.parts):
        if part.kind.axes == argument.kind.axes:
            return place
    problem = f"{name}: nothing says how large {unknown[0]} is, an axis of {argument.name}"
    advice = f"name it in another argument, or in what {value.function} returns"
    raise SignatureError(f"{problem}; {advice}")


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


def _draft_method(module: ModuleType, owner: str, method: str, texts: Texts) -> DriverDraft | None:
    """Draft the driver of a method; None where its signature names nothing that could be compared."""
    name, call = f"{owner}.{method}", f"made.{method}"
    found = getattr(module, owner, None)
    if not isinstance(found, type):
        raise SignatureError(f"the solution defines no class {owner}")
    require_written(find_function(module, name), texts[name])
    own = _read(method, texts[name])
    if not own.returned:
        return None
    before = _list_before(module, owner, method, texts)
    before.sort(key=lambda each: _is_behind(own, each[1]))
    steps, value = _choose(name, own, before)
    once = _repeat(steps, call, own)
    if once is not None:
        steps, value = once, None
    whole, asked = steps.call(call, own)
    made, result = whole.run(f"(made, {asked})", whole.sample()[0])
    whole, asked = steps.call(call, own, is_last=True)
    whole, asked = _return_parts(whole, asked, own, made, result)
    if not _is_behind(own, value):
        value = None
    return _finish(name, whole, asked, own.returned, value)


def _is_behind(own: _Signed, value: _Value | None) -> bool:
    """Return whether a method may return gradients of a value: it takes arrays of its sizes, or it is one number."""
    if value is None:
        return False
    axes = [each.kind.axes for each in value.parts if each.kind != ScalarKind("float")]
    given = []
    for each in own.parsed.arguments:
        if each.name not in value.steps.texts:
            given.append(each.kind.axes)
    return given == axes


def _return_parts(steps: _Steps, asked: str, own: _Signed, made: Any, result: Any) -> tuple[_Steps, str]:
    """Return the steps, and what they return: parts of the last call, and attributes of the object that it was made of.

    `made`, `result`: the object, and what the call returns in one case.
    """
    count = _count_returned(own, result)
    returned, others = own.parts[:count], own.parts[count:]
    if not others:
        is_sorted = _has_items(result) and not own.names_items
        return steps, f"{_SORT}({asked})" if is_sorted else asked
    read = []
    for each in others:
        is_left = each in steps.texts and not hasattr(made, each)
        shown = f"left(student, {each})" if is_left else f"made.{each}"
        if not own.names_items and _has_items(getattr(made, each, None)):
            shown = f"{_SORT}({shown})"
        read.append(shown)
    line = f"{', '.join(returned)} = {asked}" if returned else asked
    return steps.add(line), ", ".join([*returned, *read])


def _count_returned(signed: _Signed, result: Any) -> int:
    """Count the parts of a method that its call returns; the others are attributes."""
    if isinstance(result, tuple) and len(signed.parts) > 1:
        return len(result)
    return int(result is not None)


def find_function(module: ModuleType, name: str) -> Any:
    """Find a function, or a method by the name of its class and its own; SignatureError where there is none."""
    owner, _, method = name.rpartition(".")
    holder = getattr(module, owner) if owner else module
    function = getattr(holder, method, None)
    if not callable(function) or isinstance(function, type):
        raise SignatureError(f"the solution defines no {'method' if owner else 'function'} {name}")
    return function


def _choose(name: str, own: _Signed, before: Sequence[_Before]) -> _Before:
    """Choose the most calls before a method, behind which the right solution takes it."""
    problems: list[Exception] = []
    for steps, value in reversed(before):
        whole, asked = steps.call(f"made.{own.parsed.name}", own)
        try:
            results = []
            for values in whole.sample():
                results.append(copy_plain(whole.run(asked, values)))
            if any(map(is_finite, results)):
                return steps, value
            problems.append(ValueError("its values are not finite"))
        except Exception as error:  # noqa: BLE001  (of the right solution's, which may raise anything)
            problems.append(error)
    first = problems[0]
    if isinstance(first, (ContractError, SignatureError)):
        text = str(first).replace(_return_one.__name__, name)
        raise ContractError(text) from first
    raise ContractError(f"{name}: the right solution fails: {type(first).__name__}: {first}") from first


def _list_before(module: ModuleType, owner: str, method: str, texts: Texts) -> list[_Before]:
    """List steps before a method, each with one call more of those that are listed before it and change the object."""
    signed = _read(owner, texts.get(owner, f"{owner}()"))
    steps, made = _Steps(module).call(f"student.{owner}", signed)
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
            after = called.add(asked)
            is_same = are_equal(after.read_states(samples), steps.read_states(samples))
        except Exception:  # noqa: BLE001, S112  (of the right solution's; what is said of that method says it)
            continue
        if is_same:
            continue
        count = _count_returned(signed, called.run(asked, samples[0]))
        value = _Value(called, asked, other, signed.parsed.parts[:count])
        found.append((after, value if count else None))
        once = _repeat(steps, f"made.{other}", signed)
        if once is not None:
            called, asked = once.call(f"made.{other}", signed)
            after = called.add(asked)
            found.append((after, None))
        steps = after
    return found


def _repeat(steps: _Steps, call: str, signed: _Signed) -> _Steps | None:
    """Return the steps with two calls behind them, or one, with other arguments; None where they leave no trace."""
    for prefixes in (("first_", "second_"), ("first_",)):
        before = steps
        for prefix in prefixes:
            before, asked = before.call(call, signed, prefix=prefix)
            before = before.add(asked)
        if _leaves_trace(steps, before, call, signed):
            return before
    return None


def _leaves_trace(steps: _Steps, before: _Steps, call: str, signed: _Signed) -> bool:
    """Return whether the last call gives another object behind the calls `before` than behind the steps alone."""
    whole, asked = before.call(call, signed)
    try:
        samples = whole.sample()
        after = whole.add(asked)
        added = after.lines[len(before.lines) :]
        alone = replace(after, lines=(*steps.lines, *added))
        return not are_equal(after.read_states(samples), alone.read_states(samples))
    except Exception:  # noqa: BLE001  (of the right solution's, which may not take so many)
        return False


def _assign(steps: _Steps, owner: str, texts: Texts) -> _Steps:
    """Assign the attributes that have a signature, and arrays where the constructor draws any at random."""
    kinds = {}
    for name, text in texts.items():
        if name.startswith(f"{owner}.") and _is_attribute(name, text):
            _, _, kind = text.partition(":")
            kinds[name.rpartition(".")[2]] = kind.strip()
    for name, kind in {**_find_drawn(steps), **kinds}.items():
        if not kind:
            problem = f"{owner}: the constructor draws {name}, of a size that no argument has"
            raise ContractError(f"{problem}; write `{owner}.{name}: (its sizes)`")
        text, value = f"{name}: {kind}", "{}"
        if kind.startswith(f"{{{name}_0:"):  # the items of a list are arguments
            text, value = kind[1:-1], "[{}]"
        steps, given = steps.call("", _read(name, f"{name}({text})"))
        steps = steps.add(f"made.{name} = {value.format(given[1:-1])}")
    return steps


def _find_drawn(steps: _Steps) -> dict[str, str]:
    """Find the arrays of a constructor that draws any, and its dicts of arrays, with their kinds as `_write_kind`.

    A list of arrays is a dict with the keys `name_0`, `name_1` and so on.
    """
    sizes = [name for name, each in steps.arguments.items() if each.kind.is_size]
    sampled = steps
    if sizes:  # those of one array differ
        sampled = replace(steps, texts={**steps.texts, "_probe": f"_probe: ({', '.join(sizes)},)"})
    values = sampled.sample()[0]
    made, other = steps.read_states([values, values])
    if are_equal(made, other):
        return {}
    known = {values[name]: name for name in sizes} | {1: "1"}
    kinds = {}
    for name, value in made.items():
        if isinstance(value, list):
            value = {f"{name}_{place}": each for place, each in enumerate(value)}
        kinds[name] = _write_kind(value, known)
    return {name: kind for name, kind in kinds.items() if kind is not None}


def _write_kind(value: Any, known: Mapping[int, str]) -> str | None:
    """Write the kind of an array or of a dict of arrays, empty where no argument says a size; None for other values."""
    if isinstance(value, dict) and value:
        kinds = {key: _write_kind(each, known) for key, each in value.items()}
        if None in kinds.values():
            return None
        items = [f"{key}: {kind}" for key, kind in kinds.items()]
        return f"{{{', '.join(items)}}}" if all(kinds.values()) else ""
    if not is_real(value) or not value.ndim:
        return None
    axes = [known.get(length, "") for length in value.shape]
    end = "," if value.ndim == 1 else ""
    return f"({', '.join(axes)}{end})" if all(axes) else ""
