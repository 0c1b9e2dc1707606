"""Parser states: reads the student's states, and predicts transitions from them as a model of minibatch_parse."""

import zlib
from collections.abc import Callable

from autograder.authoring import Callback, CallbackSource, Refuse, ServedObject, checks, read_callback_source
from reference.parser_transitions import PartialParse

Words = list[str]
Arcs = list[tuple[str, str]]
Rule = Callable[[Words, Words], str]

# The sentences of a test have at most 7 words and need fewer than 50 transitions together. Beyond these numbers
# parses never end, and the student should read that instead of waiting for a timeout.
LARGEST_NUMBER_OF_QUESTIONS = 1000
LARGEST_STACK = 50


def make_words(length: int, name: str = "word") -> Words:
    """Make distinct words."""
    return [f"{name}{position}" for position in range(1, length + 1)]


@checks.reads_replies
def read_arcs(what: str, value: object) -> Arcs:
    """Read dependencies as a sorted list, since any order is right."""
    is_list = isinstance(value, (list, tuple)) and all(isinstance(arc, (list, tuple)) for arc in value)
    checks.require(is_list, what, "a list of (head, dependent) pairs", repr(value)[:200])
    return sorted(tuple(map(str, arc)) for arc in value)


def hash_rule(stack: Words, buffer: Words) -> str:
    """Choose a legal transition by a hash of the state, with the right-arc from ROOT last."""
    legal = ["S"] * bool(buffer) + ["LA", "RA"] * (len(stack) > 2) + ["RA"] * (len(stack) == 2 and not buffer)
    return legal[zlib.crc32(repr((stack, buffer)).encode()) % len(legal)]


def shift_first_rule(stack: Words, buffer: Words) -> str:
    """Empty the buffer before the first arc."""
    return "S" if buffer else hash_rule(stack, buffer)


def root_early_rule(stack: Words, buffer: Words) -> str:
    """Attach words to ROOT immediately, so that the stack holds only ROOT while the buffer still has words."""
    return "RA" if len(stack) == 2 else hash_rule(stack, buffer)


def left_arcs_rule(stack: Words, buffer: Words) -> str:
    """Empty the buffer, then make the last word the head of all others."""
    return "S" if buffer else "LA" if len(stack) > 2 else "RA"


def parse_alone(rule: Rule, sentence: Words) -> Arcs:
    """Parse by the rule alone and return the dependencies, sorted."""
    parse = PartialParse(sentence)
    while parse.buffer or len(parse.stack) > 1:
        parse.parse_step(rule(parse.stack, parse.buffer))
    return sorted(parse.dependencies)


class Predictor:
    """The `predict` of a model: one transition for each unfinished parse, by a rule on that parse alone."""

    def __init__(self, rule: Rule, largest_batch: int | None = None) -> None:
        self.rule = rule
        self.largest_batch = largest_batch
        self.questions = 0
        self._asked: set[int] = set()

    @property
    def asked(self) -> list[int]:
        """Fingerprints of the states in all calls, sorted; they do not depend on the batches."""
        return sorted(self._asked)

    def __call__(self, partial_parses: object) -> list[str]:
        """Answer a call; refuse calls that the assignment does not allow."""
        self.questions += 1
        if self.questions > LARGEST_NUMBER_OF_QUESTIONS:
            raise Refuse("predict was called again and again: the parses do not end")
        if not isinstance(partial_parses, (list, tuple)):
            raise Refuse("predict takes a list of PartialParse objects")
        states = [getattr(parse, "attributes", None) for parse in partial_parses]
        self._asked.update(zlib.crc32(repr(state).encode("utf-8", "backslashreplace")) for state in states)
        if self.largest_batch is not None:
            _require_batch(len(partial_parses), self.largest_batch)
        return [self.choose_transition(state) for state in states]

    def choose_transition(self, state: object) -> str:
        """Choose the transition of a parse by the rule."""
        stack, buffer = (state.get(name) if isinstance(state, dict) else None for name in ("stack", "buffer"))
        if not isinstance(stack, (list, tuple)) or not isinstance(buffer, (list, tuple)):
            raise Refuse("predict takes a list of PartialParse objects, each with its stack and its buffer")
        if not stack:
            raise Refuse("predict got a parse whose stack is empty")
        if len(stack) > LARGEST_STACK:
            raise Refuse("predict got a parse whose stack is longer than its sentence")
        if not buffer and len(stack) == 1:
            raise Refuse("predict got a parse that is finished: its buffer is empty and its stack holds one item")
        return self.rule(list(stack), list(buffer))

    def _write_source(self) -> CallbackSource:
        rule = read_callback_source(self.rule)
        rules = {each.expression: each.definition for each in (read_callback_source(hash_rule), rule)}
        definition = f"""import zlib
{chr(10).join(rules.values())}
class Model:
    def predict(self, partial_parses):
        return [{rule.expression}(list(parse.stack), list(parse.buffer)) for parse in partial_parses]"""
        return CallbackSource(definition, "Model()")

    def make_model(self) -> ServedObject:
        """Make the object with a predict method that is passed to student code."""
        return ServedObject(
            "model",
            predict=Callback(self, keywords=(("partial_parses",),), snapshot=("stack", "buffer")),
            source=self._write_source(),
        )


def _require_batch(size: int, largest: int) -> None:
    if size < 1:
        raise Refuse("predict was called with no parses")
    if size > largest:
        raise Refuse("predict was called with more parses than batch_size")
