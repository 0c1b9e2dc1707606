"""Models for minibatch_parse: the state of a parse to its next transition, by rules that look at nothing else."""

import zlib
from collections.abc import Callable

from autograder.student import Callback, Refuse, ServedObject
from reference.parser_transitions import PartialParse

Words = list[str]
Arcs = list[tuple[str, str]]
Rule = Callable[[Words, Words], str]

# No legal way of parsing sentences of a test asks a model a tenth as often; the rest are parses that never advance.
LARGEST_NUMBER_OF_QUESTIONS = 5000


def hash_rule(stack: Words, buffer: Words) -> str:
    """A transition that depends on the state like a coin toss, always legal, right-arc from ROOT last."""
    legal = ["S"] * bool(buffer) + ["LA", "RA"] * (len(stack) > 2) + ["RA"] * (len(stack) == 2 and not buffer)
    return legal[zlib.crc32(repr((stack, buffer)).encode()) % len(legal)]


def shift_first_rule(stack: Words, buffer: Words) -> str:
    """Empties the buffer before the first arc."""
    return "S" if buffer else hash_rule(stack, buffer)


def root_early_rule(stack: Words, buffer: Words) -> str:
    """Hangs words from ROOT at once, so that the stack holds ROOT alone while the buffer still has words."""
    return "RA" if len(stack) == 2 else hash_rule(stack, buffer)


def parse_alone(rule: Rule, sentence: Words) -> Arcs:
    """The dependencies that the rule leads to, in sorted order."""
    parse = PartialParse(sentence)
    while parse.buffer or len(parse.stack) > 1:
        parse.parse_step(rule(parse.stack, parse.buffer))
    return sorted(parse.dependencies)


class Predictor:
    """A model's predict: one transition for each unfinished parse, by a rule that looks at that parse alone."""

    def __init__(self, rule: Rule, largest_batch: int | None = None) -> None:
        self.rule = rule
        self.largest_batch = largest_batch
        self.questions = 0

    def __call__(self, partial_parses: object) -> list[str]:
        """Answer one call; what the text of the assignment does not allow is refused."""
        self.questions += 1
        if self.questions > LARGEST_NUMBER_OF_QUESTIONS:
            raise Refuse("predict was called again and again: the parses do not come to an end")
        if not isinstance(partial_parses, (list, tuple)):
            raise Refuse("predict takes a list of PartialParse objects")
        if self.largest_batch is not None and not 1 <= len(partial_parses) <= self.largest_batch:
            raise Refuse(
                f"predict got {len(partial_parses)} parses; it takes 1 to {self.largest_batch}, the batch size"
            )
        return [self.transition(getattr(parse, "attributes", None)) for parse in partial_parses]

    def transition(self, state: object) -> str:
        """The rule's transition for one parse."""
        stack, buffer = (state.get(name) if isinstance(state, dict) else None for name in ("stack", "buffer"))
        if not isinstance(stack, (list, tuple)) or not isinstance(buffer, (list, tuple)):
            raise Refuse("predict takes a list of PartialParse objects, each with its stack and its buffer")
        if not stack:
            raise Refuse("predict got a parse with an empty stack")
        if not buffer and len(stack) == 1:
            raise Refuse("predict got a parse that is finished: its buffer is empty and its stack holds one item")
        return self.rule(list(stack), list(buffer))

    def as_model(self) -> ServedObject:
        """The object with a predict method that student code gets."""
        return ServedObject(
            "model",
            predict=Callback(self, keywords=(("partial_parses",),), snapshot=("stack", "buffer", "dependencies")),
        )
