"""Signature parser: turns a text in the language of contracts into a `Signature`, or says where it stops and why.

`clip(x: (N, D), limit: float > 0 = 1.0) -> out: (N, D)` is such a text; docs/contracts.md describes the language.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, NoReturn, TypeVar, cast

from autograder.contracts.interval import Interval
from autograder.contracts.kinds import (
    AS_RETURNED,
    WORDS,
    Argument,
    ArrayKind,
    ChoiceKind,
    DictKind,
    GivenKind,
    Kind,
    ListKind,
    ScalarKind,
    ValueKind,
)
from autograder.contracts.signature import Part, Signature
from autograder.contracts.size_expression import ALWAYS, Expression, ExpressionError, read_expression

_TOKEN = re.compile(
    r"\s*(?:(?P<name>[A-Za-z_]\w*)|(?P<number>(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?)|(?P<text>'[^']*'|\"[^\"]*\")"
    r"|(?P<mark>->|\.\.\.|<=|>=|==|!=|//|[-+*/%()\[\]{}:,=<>|])|(?P<end>$))"
)
_OPENING = ("(", "[", "{")
_CLOSING = (")", "]", "}")
_NUMBERS = ("float", "int")
_NOT_SIZES = {*_NUMBERS, "bool", "str"}
_LIKE_SHAPES = ("distribution", "onehot", "bool")  # words before a shape
_ENDS = (",", *_CLOSING, "|", "->", "where", "")
_BOUND_ENDS = (*_ENDS, "=", "<", ">", "<=", ">=", "distinct")
_ARGUMENT = "an argument is a name, a colon and a kind, such as `x: (N, D)`; `any` is what the author draws"
_TEXTS = "a list of texts has one length: str (N,)"
_KIND = "a kind is a shape, float, int, bool, str, values with |, {key: kind}, [kind], or `any`"
_CACHE = "what takes a cache is called by a driver=, which calls the function that makes it; see docs/contracts.md"
_VALUE = "a value of a closed set is a number, a text, True, False or None"
_SHAPE = "a shape is sizes with commas between them, such as (N, D), (N,) or (...)"
_TUPLE = "a shape has sizes; a tuple is drawn by the author: write a word for what it is, such as `edges: pairs`"
_INTEGERS = "what is below a whole number or a size is from 0; for other integers write `int [1, 6)`, `int (N,) [1, 6)`"
_INTERVAL = "an interval is two numbers, such as [0, 1)"
_RETURNS = "after the arguments comes -> and the names of the parts that are returned, such as `-> loss, grad`"
_T = TypeVar("_T")


class SignatureError(Exception):
    """The text is no signature: it says which rule is broken, and marks the place."""


class _Token(NamedTuple):
    kind: str
    text: str
    start: int


def parse_signature(text: str, *, name: str = "") -> Signature:
    """Parse a signature; SignatureError where it is none.

    `name`: of the function. With it the text may be the arguments and parts alone, as in `x: (N,) -> out`.
    """
    text = " ".join(text.split())
    parser = _Parser(text, _split(text))
    signature = parser.parse(name)
    if name and signature.name != name:
        parser.fail(f"the function is named {name}, and the text begins with {signature.name}", 0)
    _require_order(parser, signature)
    return signature


def _split(text: str) -> list[_Token]:
    tokens: list[_Token] = []
    position = 0
    while not tokens or tokens[-1].kind != "end":
        match = _TOKEN.match(text, position)
        if match is None:
            start = len(text) - len(text[position:].lstrip())
            raise SignatureError(_mark("this sign is not used in signatures", text, start))
        kind = str(match.lastgroup)
        tokens.append(_Token(kind, match[kind], match.start(kind)))
        position = match.end()
    return tokens


def _mark(rule: str, text: str, position: int) -> str:
    return f"{rule}\n  {text}\n  {' ' * position}^"


def _require_order(parser: _Parser, signature: Signature) -> None:
    optional = ""
    for argument in signature.arguments:
        if argument.is_optional:
            optional = argument.name
        elif optional:
            place = parser.find_last(argument.name)
            parser.fail(f"behind {optional}, which has a default, every argument has one", place)
    for what, listed in (("arguments", signature.arguments), ("parts", signature.parts)):
        names = [each.name for each in listed]
        for name in names:
            if names.count(name) > 1:
                parser.fail(f"two {what} have the name {name}", parser.find_last(name))


@dataclass
class _Parser:
    """Reads tokens from left to right, one rule of the language a method."""

    text: str
    tokens: Sequence[_Token]
    position: int = 0

    @property
    def next(self) -> _Token:
        """The token that is read next."""
        return self.tokens[self.position]

    def fail(self, rule: str, place: int | None = None) -> NoReturn:
        """Raise SignatureError with the place, by default of the next token."""
        if place is None:
            place = self.next.start
        raise SignatureError(_mark(rule, self.text, place))

    def find_last(self, word: str) -> int:
        """Find the last place of a word."""
        starts = [each.start for each in self.tokens if each.text == word]
        return starts[-1]

    def take(self, *texts: str) -> str:
        """Take the next token if it is one of these; empty if it is not."""
        if self.next.kind in ("text", "end") or self.next.text not in texts:
            return ""
        self.position += 1
        return self.tokens[self.position - 1].text

    def expect(self, text: str, rule: str) -> None:
        """Take this token."""
        if not self.take(text):
            self.fail(rule)

    def take_kind(self, kind: str, rule: str) -> str:
        """Take a token of this kind."""
        if self.next.kind != kind:
            self.fail(rule)
        self.position += 1
        return self.tokens[self.position - 1].text

    def parse(self, name: str) -> Signature:
        """Parse the whole text."""
        is_full = self.next.kind == "name" and self.tokens[self.position + 1].text == "("
        if is_full:
            name = self.take_kind("name", _ARGUMENT)
            self.expect("(", _ARGUMENT)
        elif not name:
            self.fail("a signature begins with the name of the function and (")
        end = ")" if is_full else "->"
        arguments = () if self.take(end) else self.parse_list(self.parse_argument, end)
        if is_full:
            self.expect("->", _RETURNS)
        parts = self.parse_list(self.parse_part, "where", "")
        is_open = self.tokens[self.position - 1].text == "where"
        condition = self.parse_expression(("",)) if is_open else ALWAYS
        return Signature(name, arguments, parts, condition)

    def parse_list(self, parse_item: Callable[[], _T], *ends: str) -> tuple[_T, ...]:
        """Parse items with commas between them, and the end."""
        items: list[_T] = []
        while True:
            items.append(parse_item())
            if self.take(*ends) or (self.next.kind == "end" and "" in ends):
                return tuple(items)
            self.expect(",", f"expected a comma, or the end {ends[0]}")

    def parse_argument(self) -> Argument:
        """Parse `name: kind = default`, `name: = value`."""
        name = self.take_kind("name", _ARGUMENT)
        self.expect(":", _ARGUMENT)
        if self.take("="):
            return Argument(name, ValueKind(self.parse_expression(_ENDS)))
        kind = self.parse_kind()
        if not self.take("="):
            return Argument(name, kind)
        if self.take("absent"):
            return Argument(name, kind, may_be_absent=True)
        return Argument(name, kind, self.parse_expression(_ENDS))

    def parse_part(self) -> Part:
        """Parse `name`, `name: kind`."""
        name = self.take_kind("name", _RETURNS)
        return Part(name, self.parse_kind() if self.take(":") else AS_RETURNED)

    def parse_kind(self) -> Kind:
        """Parse any kind."""
        word = self.next
        if word.text == "(" and word.kind == "mark":
            return self.parse_conditions(self.parse_shape())
        if self.take("["):
            item = self.parse_kind()
            self.expect("]", "a list is [kind]: one kind for all items")
            return ListKind(item)
        if self.take("{"):
            return DictKind(self.parse_list(self.parse_argument, "}"))
        if word.kind in ("number", "text") or word.text in ("-", "True", "False", "None"):
            return self.parse_choice()
        return self.parse_word(self.take_kind("name", _KIND))

    def parse_word(self, word: str) -> Kind:
        """Parse a kind that begins with a word."""
        if word in _LIKE_SHAPES and self.next.text == "(":
            return replace(self.parse_shape(), entries=word)
        if word == "str" and self.next.text == "(":
            axes = self.parse_shape().axes or ()
            return ListKind(ScalarKind(word), *axes) if len(axes) == 1 else self.fail(_TEXTS)
        if word == "int" and self.is_shape():
            return self.parse_conditions(replace(self.parse_shape(), entries=word))
        if word in _NUMBERS:
            return self.parse_conditions(ScalarKind(word))
        if word in WORDS:
            return WORDS[word]
        if word in _LIKE_SHAPES:
            self.fail(_SHAPE)
        if word == "cache":
            self.fail(_CACHE)
        return GivenKind(word)

    def is_shape(self) -> bool:
        """Return whether a bracket with a size comes next; one of numbers alone is an interval."""
        if self.next.text != "(":
            return False
        before = ""
        for token in self.tokens[self.position :]:
            if token.text == ")":
                return before == ","
            if token.kind == "name" or token.text == "...":
                return True
            before = token.text
        return False

    def parse_shape(self) -> ArrayKind:
        """Parse `(N, D)`, `(N,)`, `()`, `(...)`."""
        self.expect("(", _SHAPE)
        if self.take("..."):
            self.expect(")", _SHAPE)
            return ArrayKind(None)
        axes: list[Expression] = []
        while not self.take(")"):
            start = self.next.start
            axis = self.parse_expression((",", ")", ""), _SHAPE)
            if not _NOT_SIZES.isdisjoint(axis.names):
                self.fail(_TUPLE, start)
            axes.append(axis)
            if not self.take(","):
                self.expect(")", _SHAPE)
                if len(axes) == 1:
                    self.fail("one size needs a comma: (N,)", self.tokens[self.position - 1].start)
                break
        return ArrayKind(tuple(axes))

    def parse_conditions(self, kind: ArrayKind | ScalarKind) -> Kind:
        """Parse the conditions behind a shape, `float` or `int`."""
        while True:
            start = self.next.start
            if self.take("distinct"):
                if not kind.is_array:
                    self.fail(_KIND, start)
                kind = replace(cast(ArrayKind, kind), is_distinct=True)
            elif self.next.kind == "mark" and self.next.text in ("[", "("):
                kind = replace(kind, interval=self.parse_interval())
            elif bound := self.take("<", "<=", ">", ">="):
                kind = self.add_bound(kind, bound)
            else:
                break
        if kind.below is not None and not kind.interval.is_all:
            self.fail(_INTEGERS)
        return kind

    def add_bound(self, kind: ArrayKind | ScalarKind, bound: str) -> ArrayKind | ScalarKind:
        """Parse what follows `<` and the like."""
        start = self.next.start
        value = self.parse_expression(_BOUND_ENDS)
        is_integer = value.text.isdigit() and value.text != "0" and kind.type != "float"
        if bound == "<" and (value.names or is_integer):
            return replace(kind, below=value)
        number = None if value.names else value.evaluate({})
        if not isinstance(number, (int, float)):
            self.fail("a bound is a number; only < may come before a size", start)
        is_open = len(bound) == 1
        if bound[0] == "<":
            interval = kind.interval._replace(high=float(number), is_high_open=is_open)
        else:
            interval = kind.interval._replace(low=float(number), is_low_open=is_open)
        return replace(kind, interval=interval)

    def parse_interval(self) -> Interval:
        """Parse `[0, 1)`."""
        is_low_open = self.take("(", "[") == "("
        low = self.parse_number()
        self.expect(",", _INTERVAL)
        high = self.parse_number()
        closing = self.take(")", "]")
        if not closing or low >= high:
            self.fail(_INTERVAL)
        return Interval(low, high, is_low_open, is_high_open=closing == ")")

    def parse_number(self) -> float:
        """Parse a number with its sign."""
        sign = -1.0 if self.take("-") else 1.0
        number = self.take_kind("number", _INTERVAL)
        return sign * float(number)

    def parse_choice(self) -> ChoiceKind:
        """Parse `1 | 2`."""
        values: list[Any] = []
        while not values or self.take("|"):
            start = self.next.start
            value = self.parse_expression(_BOUND_ENDS)
            if value.names:
                self.fail(_VALUE, start)
            values.append(value.evaluate({}))
        return ChoiceKind(tuple(values))

    def parse_expression(self, ends: Collection[str], rule: str = "expected a value or a size") -> Expression:
        """Parse an expression up to one of the ends outside of brackets."""
        first = self.position
        depth = 0
        while self.next.kind != "end":
            if depth == 0 and self.next.kind != "text" and self.next.text in ends:
                break
            depth += (self.next.text in _OPENING) - (self.next.text in _CLOSING)
            self.position += 1
        if first == self.position:
            self.fail(rule)
        start = self.tokens[first].start
        try:
            return read_expression(self.text[start : self.next.start].strip())
        except ExpressionError as error:
            self.fail(str(error), start + error.offset)
