"""Hidden tests of parser_transitions: PartialParse step by step, and minibatch_parse with models that see a state."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from autograder.authoring import ROBUST, Contract, Given, fresh, make_toy
from reference import parser_transitions as reference

STEPS = {"S": (1, 1), "LA": (3, 0), "RA": (2, 0)}  # the items of the stack and of the buffer that each needs
LONG = 140
SYLLABLES = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]
WORTH = {"S": 2, "LA": 3, "RA": 3, "several steps": 1.5}
STATE = ("stack", "buffer", "dependencies")
KINDS = {"lengths": 0.5, "words": 0.4, "again": 0.1}
State = tuple[list[str], list[str], list[tuple[str, str]]]
"""The stack, the buffer and the dependencies."""


def start_parse(student: Any, sentence: list[str], is_second: bool) -> Any:
    """Start a parse; `is_second`: after another one whose lists were changed, which needs no other method."""
    if is_second:
        first = student.PartialParse(fresh(sentence))
        first.stack.append(sentence[0])
        first.dependencies.append(("ROOT", sentence[0]))
    parse = student.PartialParse(sentence)
    return parse.sentence, parse.stack, parse.buffer, parse.dependencies, sentence


def enter(student: Any, sentence: list[str], stack: list[str], dependencies: list[tuple[str, str]]) -> Any:
    """Make a parse that is in a state. Its buffer is what the constructor makes of a sentence, in a form of its own."""
    parse = student.PartialParse(sentence)
    if len(stack) > 1:
        parse.stack = stack
    if dependencies:
        parse.dependencies = dependencies
    return parse


def take_steps(
    student: Any, sentence: Any, stack: Any, dependencies: Any, transitions: Any, has_another: Any, other: Any
) -> Any:
    """Take steps in a state; `has_another`: what is looked at is another parse of the same sentence.

    `other`: words whose buffer, as a parse of them has it, takes the place of that of the sentence.
    """
    parse = enter(student, sentence, stack, dependencies)
    if other:
        parse.buffer = student.PartialParse(other).buffer
    seen = student.PartialParse(sentence) if has_another else parse
    for transition in transitions:
        parse.parse_step(transition)
    return seen.stack, seen.buffer, seen.dependencies, seen.sentence, sentence


def parse_twice(student: Any, sentence: Any, stack: Any, dependencies: Any, transitions: Any, more: Any) -> Any:
    """Take transitions in a state, in two calls where there are more."""
    parse = enter(student, sentence, stack, dependencies)
    returned = parse.parse(transitions)
    if more:
        returned = parse.parse(more)
    return returned, parse.stack, parse.buffer, parse.dependencies


def draw_words(rng: np.random.Generator, count: int) -> list[str]:
    """Draw different words."""
    words: dict[str, None] = {}
    while len(words) < count:
        syllables = [SYLLABLES[place] for place in rng.integers(len(SYLLABLES), size=3)]
        words["".join(syllables)] = None
    return list(words)


def draw_state(rng: np.random.Generator, stacked: int, buffered: int, found: int) -> State:
    """Draw a state of different words with so many items."""
    words = draw_words(rng, stacked + buffered + 2 * found)
    pairs = words[stacked + buffered :]
    stack, buffer = ["ROOT", *words[1:stacked]], words[stacked : stacked + buffered]
    return stack, buffer, list(zip(pairs[::2], pairs[1::2], strict=True))


def draw_transitions(rng: np.random.Generator, state: State, count: int) -> list[str]:
    """Draw legal transitions, at most so many."""
    stacked, buffered = len(state[0]), len(state[1])
    taken: list[str] = []
    while len(taken) < count and (buffered or stacked > 1):
        legal = [step for step, (stack, buffer) in STEPS.items() if stacked >= stack and buffered >= buffer]
        taken.append(str(rng.choice(legal)))
        is_shift = taken[-1] == "S"
        stacked, buffered = stacked + (1 if is_shift else -1), buffered - is_shift
    return taken


def list_ordinary_states(rng: np.random.Generator, step: str) -> Iterator[State]:
    """List short states of different words."""
    stacked, buffered = STEPS[step]
    for more in (2, 1, 3):
        yield draw_state(rng, stacked + more, buffered + more + 1, more)


def list_lengths(rng: np.random.Generator, step: str) -> Iterator[tuple[list[str], State]]:
    """List states with each length of each attribute, with the words for them."""
    stacked, buffered = STEPS[step]
    stacks, buffers, founds = (rng.permutation(9) for _ in range(3))
    for place in range(9):
        yield from measure(rng, stacked + int(stacks[place]), buffered + int(buffers[place]), int(founds[place]))
    yield from measure(rng, stacked, buffered, 0)
    yield from measure(rng, LONG, buffered, 2)
    yield from measure(rng, stacked + 1, LONG, 0)
    yield from measure(rng, stacked, buffered, LONG)


def measure(rng: np.random.Generator, *lengths: int) -> Iterator[tuple[list[str], State]]:
    """Draw a state, with words for its lengths."""
    named = {0: "is empty", 1: "has one item"}
    names = zip(("stack", "buffer", "dependencies"), lengths, strict=True)
    words = [f"where {name} {named.get(length, f'has {length} items')}" for name, length in names]
    yield words, draw_state(rng, *lengths)


def list_repetitions(rng: np.random.Generator, step: str) -> Iterator[tuple[list[str], State]]:
    """List states in which words are equal, with words for them."""
    stacked, buffered = STEPS[step]
    for count in (1, 3):
        stack, buffer, pairs = draw_state(rng, stacked + count, buffered + count, count)
        word, top, below = buffer[0], stack[-1], stack[-2]
        yield ["where the words of stack are equal"], (["ROOT", *[word] * (len(stack) - 1)], buffer, pairs)
        yield ["where neighbours in stack are equal"], ([*stack, top, top], buffer, pairs)
        yield ["where a word of stack occurs twice"], (["ROOT", below, top, *stack[1:]], buffer, pairs)
        yield ["where a word of stack occurs twice"], (["ROOT", top, *stack[1:]], buffer, pairs)
        yield ["where the words of buffer are equal"], (stack, [word] * (count + 1), pairs)
        yield ["where a word of buffer occurs twice"], (stack, [*buffer, *buffer], pairs)
        yield ["where a word of stack stands in buffer"], ([*stack, word], [*buffer, word], pairs)
        yield ["where two dependencies are equal"], (stack, buffer, [*pairs, *pairs])
        yield ["where a dependency is found again"], (stack, buffer, [*pairs, (top, below), (below, top)])
        yield ["where a word is ROOT"], ([*stack, "ROOT"], buffer, pairs)
        yield ["where a word is ROOT"], (["ROOT", "ROOT", *stack[1:]], ["ROOT", *buffer], pairs)
        yield ["where all words are ROOT"], (["ROOT"] * len(stack), ["ROOT"] * (count + 1), [("ROOT", "ROOT")])


def step_in(
    state: State,
    steps: list[str],
    words: list[str],
    group: str,
    *,
    has_another: bool = False,
    other: Sequence[str] = (),
) -> Given:
    """Return a case of parse_step. That the parse keeps its sentence counts as robustness."""
    stack, buffer, dependencies = state
    unjudged = () if group == ROBUST else ("sentence",)
    return Given((buffer, stack, dependencies, steps, has_another, other), words, group, unjudged)


def list_walks(rng: np.random.Generator, *lengths: int) -> Iterator[Given]:
    """List cases of several steps of new parses, and of what they have to leave as it was."""
    words = ["after several steps"]
    for length in lengths:
        state = draw_state(rng, 1, length, 0)
        steps = draw_transitions(rng, state, 2 * length - 1)
        yield step_in(state, steps, words, "several steps")
    yield step_in(state, steps, words, ROBUST)
    yield step_in(state, steps, ["with another object in use"], ROBUST, has_another=True)


def list_steps(rng: np.random.Generator) -> Iterator[Given]:
    """List cases of parse_step in ordinary states."""
    for step in STEPS:
        for state in list_ordinary_states(rng, step):
            yield step_in(state, [step], [f"after {step}"], step)
    yield from list_walks(rng, 3, 4)


def list_all_steps(rng: np.random.Generator) -> Iterator[Given]:
    """List cases of parse_step in all kinds of states; the first of each is ordinary."""
    for step in STEPS:
        first, *_ = list_ordinary_states(rng, step)
        states = {
            "lengths": [([], first), *list_lengths(rng, step)],
            "words": list_repetitions(rng, step),
            "again": [(["in a second call"], first)],
        }
        for kind, listed in states.items():
            for words, state in listed:
                told = [f"after {step} {each}" for each in words]
                yield step_in(state, [step], [*told, f"after {step}"], f"{step}, {kind}")
    stack, buffer, dependencies = first
    words = ["where a buffer was assigned", "after S"]
    yield step_in((stack, buffer, dependencies), ["S"], words, "S, again", other=draw_words(rng, 4))
    yield from list_walks(rng, 2, 4, 7, 12)


def parse_in(rng: np.random.Generator, state: State, count: int, words: list[str], group: str, more: int = 0) -> Given:
    """Return a case of parse."""
    stack, buffer, dependencies = state
    steps = draw_transitions(rng, state, count + more)
    return Given((buffer, stack, dependencies, steps[:count], steps[count:]), words, group)


def list_parses(rng: np.random.Generator) -> Iterator[Given]:
    """List cases of parse in ordinary states."""
    for stacked, buffered, found in ((1, 4, 0), (3, 2, 2), (2, 3, 1)):
        yield parse_in(rng, draw_state(rng, stacked, buffered, found), 4, [], "ordinary")


def list_all_parses(rng: np.random.Generator) -> Iterator[Given]:
    """List cases of parse in all kinds of states; the first is ordinary."""
    yield parse_in(rng, draw_state(rng, 2, 4, 1), 4, [], "lengths")
    for count in (0, 1, 2, 3, 4, 5, 6, 7, 8, LONG):
        words = [f"for {count} transitions"]
        yield parse_in(rng, draw_state(rng, 2, count // 2 + 4, 1), count, words, "lengths")
    for step in STEPS:
        for group, listed in {"lengths": list_lengths(rng, step), "words": list_repetitions(rng, step)}.items():
            for words, state in listed:
                yield parse_in(rng, state, 4, words, group)
    for length in (2, 5, 9):
        yield parse_in(rng, draw_state(rng, 1, length, 0), length, ["in a second call"], "again", more=length)


def list_starts(rng: np.random.Generator) -> Iterator[Given]:
    """List sentences of a few words, and one after another parse was changed."""
    for length in (5, 3, 4):
        yield Given((draw_words(rng, length), False), [], "ordinary")
    yield from start_again(rng)


def start_again(rng: np.random.Generator) -> Iterator[Given]:
    """Make the case of a new parse behind another one."""
    yield Given((draw_words(rng, 4), True), "after another object was changed", "again")


def list_all_starts(rng: np.random.Generator) -> Iterator[Given]:
    """List sentences of all lengths and kinds of words; the first is ordinary."""
    yield Given((draw_words(rng, 5), False), [], "lengths")
    for length in (1, 2, 3, 4, 5, 6, 7, 8, LONG):
        words = [f"for {length} word{'s' * (length > 1)}"]
        yield Given((draw_words(rng, length), False), words, "lengths")
    for length in (2, 3, 5, 9):
        first, second, *others = draw_words(rng, length)
        yield Given(([first] * length, False), ["where all words are equal"], "words")
        yield Given(([first, second, *others, first], False), ["where a word occurs twice"], "words")
        yield Given(([first, first, second, *others], False), ["where neighbours are equal"], "words")
        yield Given((["ROOT", first, *others], False), ["where a word is ROOT"], "words")
    yield from start_again(rng)


def order_dependencies(value: Any, case: Any) -> Any:
    """Return the right dependencies, in the order of the returned ones where they are the same."""
    right, found = ([tuple(arc) for arc in arcs] for arcs in (case.right, value))
    return found if sorted(found) == sorted(right) else right


partial_parse = Contract(
    reference.PartialParse,
    "sentence: any, is_second: any -> sentence, stack, buffer, dependencies",
    driver=start_parse,
    cases={"ordinary": list_starts, "everywhere": list_all_starts},
    shares={"sentence": 0.2, "ordinary": 4, "lengths": 2, "words": 2, "again": 3},  # the template sets the sentence
)
parse_step = Contract(
    reference.PartialParse.parse_step,
    "sentence: any, stack: any, dependencies: any, transitions: any, has_another: any, other: any"
    " -> stack, buffer, dependencies, sentence",
    driver=take_steps,
    cases={"ordinary": list_steps, "everywhere": list_all_steps},
    right={"dependencies": order_dependencies},
    shares={**WORTH, **{f"{step}, {kind}": WORTH[step] * share for step in STEPS for kind, share in KINDS.items()}},
)
parse = Contract(
    reference.PartialParse.parse,
    "sentence: any, stack: any, dependencies: any, transitions: any, more: any"
    " -> returned, stack, buffer, dependencies",
    driver=parse_twice,
    cases={"ordinary": list_parses, "everywhere": list_all_parses},
    right={"dependencies": order_dependencies, "returned": order_dependencies},
    shares={"returned": 3, "lengths": 5, "words": 4},
)
partial_parse.rows(
    ordinary=("6.1", 1, "stack, buffer and dependencies at the start"),
    everywhere=("6.2", 1.5, "short and long sentences, repeated words"),
)
parse_step.rows(
    ordinary=("6.3", 4, "shift, left-arc and right-arc"),
    everywhere=("6.4", 6.5, "other states, repeated words, long sentences, several steps"),
)
parse.rows(
    ordinary=("6.5", 0.5, "several transitions"), everywhere=("6.6", 1.5, "other states, repeated words, several calls")
)


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
        if self.rule == "by dependencies":
            found = "".join(map("".join, getattr(parse, "dependencies", ())))
            return legal[(1 + len(found)) % len(legal)]
        letters = enumerate(repr((stack, buffer, self.salt)), start=1)
        return legal[sum(place * place * ord(letter) for place, letter in letters) % 10007 % len(legal)]


def choose_by(rule: str) -> Any:
    """Return a function that draws a model."""
    return lambda known, rng, style: make_toy(Model, rule, int(rng.integers(10**6)), reads=STATE)


def draw_sentences(*lengths: int, first: str = "") -> Any:
    """Return a function that draws sentences of distinct words, but for a first word that all of them have."""

    def draw(known: Any, rng: np.random.Generator, style: str) -> list[list[str]]:
        sentences = [[f"{letter}{place}" for place in range(1, length + 1)] for letter, length in enumerate(lengths)]
        return [[first or sentence[0], *sentence[1:]] for sentence in sentences]

    return draw


def make_many(rng: np.random.Generator) -> list[Any]:
    """Make a run over many short sentences."""
    sentences = draw_sentences(*[1, 2] * 65)({}, rng, "")
    return [sentences, choose_by("hash")({}, rng, ""), 40]


def make_like(rng: np.random.Generator) -> list[Any]:
    """Make a run in which parses of different words come to have the same stack and buffer."""
    sentences = [[first, "is", "it"] for first in ("so", "far", "away")]
    return [sentences, choose_by("by dependencies")({}, rng, ""), 3]


def find_dependencies(value: Any, case: Any) -> Any:
    """Return the right dependencies, in the order of the returned ones where they are the same."""
    right = [[tuple(arc) for arc in arcs] for arcs in case.right]
    found = [[tuple(arc) for arc in arcs] for arcs in value]
    pairs = zip(found, right, strict=True)
    return [arcs if sorted(arcs) == sorted(others) else others for arcs, others in pairs]


def refuse_batches(asked: list, case: Any) -> str:
    """Say what is wrong where the model gets no parses, more than batch_size, or was not asked for each step."""

    def name_state(state: Any) -> str:
        """Name what a model chooses by; in which order and form a parse keeps its dependencies is free."""
        read = state if isinstance(state, dict) else {}
        held = [read.get(name) for name in ("stack", "buffer")]
        return repr([list(each) if isinstance(each, (list, tuple)) else each for each in held])

    batches = [arguments[0] for _, arguments in asked if isinstance(arguments[0], (list, tuple))]
    if not all(batches):
        return "predict was called with no parses"
    if any(len(batch) > case.arguments["batch_size"] for batch in batches):
        return "predict was called with more parses than batch_size"
    states = {name_state(state) for batch in batches for state in batch}
    steps = {name_state(state) for _, (batch,) in case.right for state in batch}
    return "predict was not asked for each step of each parse" if steps - states else ""


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
    cases=[
        Given(make_many, "where there are 130 sentences"),
        Given(make_like, "where the model looks at dependencies"),
    ],
    right={"result": find_dependencies, "the use of model": refuse_batches},
    shares={"result": 0.88, "the use of model": 0.12},
    keeps_arguments=True,
    untouched="minibatch_parse returns empty lists and never calls model.predict",
)
minibatch_parse.rows(
    ordinary=("6.7", 3, "sentences of different lengths, in batches of one to three"),
    everywhere=("6.8", 6, "other sentences, models and batch sizes, the order of the results, a second call"),
)
