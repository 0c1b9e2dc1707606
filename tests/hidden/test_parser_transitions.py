"""Hidden tests of parser_transitions: PartialParse step by step, and minibatch_parse with models that see a state."""

from typing import Any

import numpy as np
from gradescope_utils.autograder_utils.decorators import number, visibility, weight

from autograder.authoring import Check, Contract, ObjectContract, Repeated, make_toy
from reference import parser_transitions as reference

PARTS = ("head", "dependent")


def list_legal(parse: reference.PartialParse) -> list[str]:
    """List the legal transitions of a parse."""
    arcs = len(parse.stack) - 1  # below the top of the stack
    return ["S"] * bool(parse.buffer) + ["LA"] * (arcs > 1) + ["RA"] * (arcs > 0)


partial_parse = ObjectContract(
    reference.PartialParse,
    start="sentence: [str]",
    state=("stack", "buffer", "dependencies"),
    kept=("sentence",),
    actions={"parse_step": list_legal, "parse": Repeated("parse_step", returns="dependencies")},
    unordered={"dependencies": PARTS},
    shares={"S": 2, "LA": 3, "RA": 3},
    part_shares={"sentence": 0.2},  # the template sets it
)
parse_step, parse = partial_parse.get_action("parse_step"), partial_parse.get_action("parse")


@weight(1)
@number("6.1")
@visibility("visible")
def test_partial_parse() -> Check:
    """PartialParse: stack, buffer and dependencies at the start"""
    return partial_parse.ordinary()


@weight(1.5)
@number("6.2")
@visibility("after_due_date")
def test_partial_parse_everywhere() -> Check:
    """PartialParse: short and long sentences, repeated words"""
    return partial_parse.everywhere()


@weight(4)
@number("6.3")
@visibility("visible")
def test_parse_step() -> Check:
    """parse_step: shift, left-arc and right-arc"""
    return parse_step.ordinary()


@weight(6.5)
@number("6.4")
@visibility("after_due_date")
def test_parse_step_everywhere() -> Check:
    """parse_step: other states, repeated words, long sentences, several steps"""
    return parse_step.everywhere()


@weight(0.5)
@number("6.5")
@visibility("visible")
def test_parse() -> Check:
    """parse: several transitions"""
    return parse.ordinary()


@weight(1.5)
@number("6.6")
@visibility("after_due_date")
def test_parse_everywhere() -> Check:
    """parse: other states, repeated words, several calls"""
    return parse.everywhere()


class Model:
    """A model that chooses a legal transition by a hash of the state; it refuses what the assignment forbids."""

    def __init__(self, rule: str, salt: int) -> None:
        self.rule, self.salt, self.asked = rule, salt, 0

    def predict(self, partial_parses: list) -> list:
        """Return a transition for each parse."""
        self.asked += 1
        if self.asked > 900:
            raise RuntimeError("predict was called again and again: the parses do not end")
        is_list = isinstance(partial_parses, (list, tuple))
        if not is_list:
            raise RuntimeError("predict takes a list of PartialParse objects")
        return [self._choose(parse) for parse in partial_parses]

    def _choose(self, parse: object) -> str:
        stack, buffer = (getattr(parse, name, None) for name in ("stack", "buffer"))
        if stack is None or buffer is None:
            raise RuntimeError("predict takes a list of PartialParse objects, each with its stack and its buffer")
        stack, buffer = list(stack), list(buffer)
        if not stack or len(stack) > 200:
            raise RuntimeError("predict got a parse whose stack is empty, or longer than its sentence")
        if not buffer and len(stack) == 1:
            raise RuntimeError("predict got a parse that is finished: its buffer is empty and its stack holds one item")
        if self.rule == "shift first" and buffer:
            return "S"
        if self.rule == "root early" and len(stack) == 2:
            return "RA"
        legal = ["S"] * bool(buffer) + ["LA", "RA"] * (len(stack) > 2) + ["RA"] * (len(stack) == 2 and not buffer)
        letters = enumerate(repr((stack, buffer, self.salt)), start=1)
        return legal[sum(place * place * ord(letter) for place, letter in letters) % 10007 % len(legal)]


def choose_by(rule: str) -> Any:
    """Return a function that draws a model."""
    return lambda known, rng, style: make_toy(Model, rule, int(rng.integers(10**6)), reads=("stack", "buffer"))


def draw_sentences(*lengths: int, first: str = "") -> Any:
    """Return a function that draws sentences of distinct words, but for a first word that all of them have."""

    def draw(known: Any, rng: np.random.Generator, style: str) -> list[list[str]]:
        sentences = [[f"{letter}{place}" for place in range(1, length + 1)] for letter, length in enumerate(lengths)]
        return [[first or sentence[0], *sentence[1:]] for sentence in sentences]

    return draw


def find_dependencies(value: Any, case: Any) -> Any:
    """Return the right dependencies, in the order of the returned ones where they are the same."""
    right = [[tuple(arc) for arc in arcs] for arcs in case.right]
    found = [[tuple(arc) for arc in arcs] for arcs in value]
    pairs = zip(found, right, strict=True)
    return [arcs if sorted(arcs) == sorted(others) else others for arcs, others in pairs]


def refuse_batches(asked: list, case: Any) -> str:
    """Say what is wrong where the model gets no parses, or more than batch_size."""
    sizes = [len(arguments[0]) for _, arguments in asked if isinstance(arguments[0], (list, tuple))]
    if any(size < 1 for size in sizes):
        return "predict was called with no parses"
    return "predict was called with more parses than batch_size" * (
        max(sizes, default=0) > case.arguments["batch_size"]
    )


minibatch_parse = Contract(
    reference.minibatch_parse,
    """sentences: any, model: any, batch_size: 2 | 1 | 3 | 4 | 5 | 6 | 7 | 8 | 40 | 100 | 130 -> result""",
    draw={
        "sentences": {
            "": draw_sentences(3, 6, 2, 5, 1),
            "where one word is the only sentence": lambda known, rng, style: [["Go"]],
            "where there are no sentences": lambda known, rng, style: [],
            "where several parses finish in the same step": draw_sentences(3, 3, 3, 3, 3),
            "where long sentences stand before short ones": draw_sentences(7, 6, 4, 3, 1),
            "where two sentences are equal": lambda known, rng, style: [
                ["is", "it"],
                ["is", "it"],
                ["it", "is"],
                ["so"],
            ],
            "where sentences begin with the same word": draw_sentences(4, 2, 3, 6, first="so"),
            "where a word occurs twice": lambda known, rng, style: [
                ["so", "far", "so", "so", "far"],
                ["is", "is"],
                ["so"],
            ],
            "where a sentence has 40 words": draw_sentences(2, 40),
            **{f"where there are {n} sentences": draw_sentences(*([1, 2] * n)[:n]) for n in (2, 3, 6, 7, 8)},
        },
        "model": {
            "": choose_by("hash"),
            "where the model shifts all words first": choose_by("shift first"),
            "where the model makes words depend on ROOT at once": choose_by("root early"),
        },
    },
    also={
        "where there are more than 128 sentences": lambda rng: [
            draw_sentences(*[1, 2] * 65)({}, rng, ""),
            choose_by("hash")({}, rng, ""),
            40,
        ],
    },
    predicate={"the use of model": refuse_batches},
    nearest={"result": find_dependencies},
    part_shares={"result": 0.88, "the use of model": 0.12},
    keeps_arguments=True,
    untouched="minibatch_parse returns empty lists and never calls model.predict",
)


@weight(3)
@number("6.7")
@visibility("visible")
def test_minibatch_parse() -> Check:
    """minibatch_parse: sentences of different lengths, in batches of one to three"""
    return minibatch_parse.ordinary()


@weight(6)
@number("6.8")
@visibility("after_due_date")
def test_minibatch_parse_everywhere() -> Check:
    """minibatch_parse: other sentences, models and batch sizes, the order of the results, a second call"""
    return minibatch_parse.everywhere()
