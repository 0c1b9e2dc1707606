"""Contracts of parser_transitions: any legal state, sentences with repeated words, batches of any size."""

from __future__ import annotations

import copy
import zlib
from collections.abc import Callable, Iterator, Sequence
from types import ModuleType
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from tests.contracts import Contract
from tests.contracts.agreement import agree
from tests.contracts.drawing import LONG

Words = list[str]
Rule = Callable[[Words, Words], str]
VOCABULARY = ("so", "far", "good", "is", "what", "ROOT", "it", "the")
MOST_STEPS = 900  # a model is asked less often: in batches of one, for each step of 130 short sentences


def draw_sentence(longest: int = 9) -> SearchStrategy[Words]:
    """Draw words, with repetitions in most cases."""
    length = st.sampled_from([each for each in (1, 2, 3, 4, 5, 6, 7, 8, 9, 14, 40, 70, 130) if each <= longest])
    repeated = length.flatmap(lambda n: st.lists(st.sampled_from(VOCABULARY[:-1]), min_size=n, max_size=n))
    return st.one_of(repeated, length.map(lambda n: [f"word{position}" for position in range(n)]))


def list_legal(stack: Words, buffer: Words) -> list[str]:
    """List the legal transitions of a state."""
    names = ["S"] * bool(buffer) + ["LA"] * (len(stack) > 2) + ["RA"] * (len(stack) > 1)
    return ["".join(list(name)) for name in names]  # texts that are equal to the literals, and other objects


def walk(stack: int, buffer: int, choices: Sequence[int]) -> list[str]:
    """Turn choices into legal transitions from a state of this size; those after the end are dropped."""
    transitions = list[str]()
    for choice in choices:
        legal = list_legal(["x"] * stack, ["x"] * buffer)
        if legal:
            transitions.append(legal[choice % len(legal)])
            is_shift = transitions[-1] == "S"
            stack, buffer = stack + (1 if is_shift else -1), buffer - is_shift
    return transitions


CHOICES = st.lists(st.integers(0, 5), min_size=1, max_size=24)


def read_state(parse: Any) -> list[object]:
    """Read a parse; the order of its dependencies is free."""
    return [list(parse.stack), list(parse.buffer), sorted(map(tuple, parse.dependencies)), list(parse.sentence)]


def collect(states: Iterator[object]) -> object:
    """Collect observations, or the error that ends them."""
    seen: list[object] = []
    try:
        seen.extend(states)
    except Exception as error:  # noqa: BLE001  (a mutant may raise anything)
        return [seen, type(error).__name__]
    return seen


def observe_start(module: ModuleType, case: tuple[Words, list[str]]) -> object:
    """Start two parses of equal sentences, go on with one, and start a third."""
    sentence, transitions = copy.deepcopy(case)

    def run() -> Iterator[object]:
        first, second = module.PartialParse(sentence), module.PartialParse(list(sentence))
        yield read_state(first)
        for transition in transitions:
            first.parse_step(transition)
        yield from (read_state(parse) for parse in (first, second, module.PartialParse(sentence)))
        yield read_state(module.PartialParse([*sentence, "more"]))
        yield sentence

    return collect(run())


def observe_steps(module: ModuleType, case: tuple[Any, ...]) -> object:
    """Put a parse into a state and apply transitions."""
    stack, buffer, dependencies, transitions = copy.deepcopy(case)

    def run() -> Iterator[object]:
        parse = module.PartialParse([*buffer] or ["word"])
        parse.stack, parse.dependencies = stack, dependencies
        if not buffer:
            parse.buffer = []
        for transition in transitions:
            parse.parse_step(transition)
            yield read_state(parse)

    return collect(run())


def draw_words(word: SearchStrategy[str]) -> SearchStrategy[Words]:
    """Draw up to seven words, in every tenth case many."""
    lengths = st.sampled_from((*range(8), *range(8), *range(8), *LONG))
    return lengths.flatmap(lambda count: st.lists(word, min_size=count, max_size=count))


@st.composite
def draw_state(draw: DrawFn) -> tuple[Any, ...]:
    """Draw a state, and legal transitions from it."""
    word = st.sampled_from(VOCABULARY[:5])
    stack = ["ROOT", *draw(draw_words(word))]
    buffer = draw(draw_words(word))
    arc = st.tuples(word, word)
    arcs = draw(
        st.one_of(st.lists(arc, max_size=4), st.tuples(arc, st.integers(2, 12)).map(lambda each: [each[0]] * each[1]))
    )
    choices = draw(st.lists(st.integers(0, 5), min_size=1, max_size=5))
    transitions = walk(len(stack), len(buffer), choices)
    return stack, buffer, arcs, transitions


def observe_parse(module: ModuleType, case: tuple[Any, ...]) -> object:
    """Parse in two parts, the first of them perhaps by steps; then another sentence."""
    sentence, transitions, cut, by_steps = copy.deepcopy(case)

    def run() -> Iterator[object]:
        parse = module.PartialParse(sentence)
        if by_steps:
            for transition in transitions[:cut]:
                parse.parse_step(transition)
        else:
            yield sorted(map(tuple, parse.parse(transitions[:cut])))
        yield sorted(map(tuple, parse.parse(transitions[cut:])))
        yield read_state(parse)
        yield [sentence, transitions == case[1]]

    return collect(run())


@st.composite
def draw_parse(draw: DrawFn) -> tuple[Any, ...]:
    """Draw a sentence, transitions, where they are cut, and how the first part is applied."""
    sentence = draw(st.one_of(*[draw_sentence()] * 9, draw_sentence(130)))
    transitions = walk(1, len(sentence), draw(CHOICES))
    return sentence, transitions, draw(st.integers(0, len(transitions))), draw(st.booleans())


class Model:
    """A model that chooses by a hash of the state; it refuses what the assignment forbids."""

    def __init__(self, salt: int, style: str, batch_size: int) -> None:
        self.salt, self.style, self.batch_size = salt, style, batch_size
        self.steps = 0

    def predict(self, partial_parses: Any) -> list[str]:
        """Return a transition for each parse."""
        self.steps += 1
        if not isinstance(partial_parses, list) or not 1 <= len(partial_parses) <= self.batch_size:
            raise ValueError("not 1 to batch_size parses")
        if self.steps > MOST_STEPS:
            raise ValueError("the parses do not end")
        return [self.choose(list(parse.stack), list(parse.buffer)) for parse in partial_parses]

    def choose(self, stack: Words, buffer: Words) -> str:
        """Choose a legal transition."""
        legal = list_legal(stack, buffer)
        if not buffer and len(stack) == 1:
            raise ValueError("a finished parse")
        if self.style == "shift first" and buffer:
            return "".join(["S"])
        if self.style == "root early" and len(stack) == 2:
            return "".join(["R", "A"])
        if self.style == "root last" and len(stack) == 2 and buffer:
            return "".join(["S"])
        return legal[zlib.crc32(repr((stack, buffer, self.salt)).encode()) % len(legal)]


def observe_minibatches(module: ModuleType, calls: Sequence[tuple[Any, ...]]) -> object:
    """Parse batches, one call after another."""

    def run() -> Iterator[object]:
        for sentences, salt, style, batch_size in copy.deepcopy(list(calls)):
            got = module.minibatch_parse(sentences, Model(salt, style, batch_size), batch_size)
            yield [sorted(map(tuple, arcs)) for arcs in got]
            yield sentences

    return collect(run())


@st.composite
def draw_minibatches(draw: DrawFn) -> list[tuple[Any, ...]]:
    """Draw one to three calls; each later one differs from the first in one argument, or in all."""
    many = st.sampled_from(LONG).map(lambda count: [["so", "far"][: 1 + place % 2] for place in range(count)])
    parts = (
        st.one_of(*[st.lists(draw_sentence(7), max_size=8)] * 9, many),
        st.integers(0, 99),
        st.sampled_from(("hash", "shift first", "root early", "root last")),
        st.sampled_from((2, 1, 3, 4, 5, 6, 7, 8, 40, 100, 130)),
    )
    first = draw(st.tuples(*parts))
    calls = [first]
    for _ in range(draw(st.integers(0, 2))):
        changed = draw(st.sampled_from((0, 1, 2, 3, None)))
        call = [draw(part) if changed in (None, place) else first[place] for place, part in enumerate(parts)]
        calls.append(tuple(call))
    return calls


def agree_on_observations(_case: object, right: Any, got: Any) -> bool:
    """Tell whether all observations are equal."""
    return agree(right, got)


START = draw_sentence(130).flatmap(
    lambda words: st.tuples(st.just(words), CHOICES.map(lambda each: walk(1, len(words), each)))
)
CONTRACTS: list[Contract] = [
    Contract("PartialParse", START, observe_start, agree_on_observations),
    Contract("PartialParse.parse_step", draw_state(), observe_steps, agree_on_observations),
    Contract("PartialParse.parse", draw_parse(), observe_parse, agree_on_observations),
    Contract("minibatch_parse", draw_minibatches(), observe_minibatches, agree_on_observations),
]
