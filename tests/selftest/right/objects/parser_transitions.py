"""Parser with deques and named tuples; each minibatch is parsed to its end before the next one starts."""
import enum
from collections import deque, namedtuple
from dataclasses import dataclass, field
from itertools import islice
from typing import Deque, List, Sequence

Arc = namedtuple("Arc", "head dependent")


class Transition(str, enum.Enum):
    SHIFT = "S"
    LEFT = "LA"
    RIGHT = "RA"


@dataclass(eq=False)
class PartialParse:
    sentence: Sequence[str]
    stack: Deque[str] = field(default_factory=lambda: deque(["ROOT"]))
    dependencies: Deque[Arc] = field(default_factory=deque)

    def __post_init__(self):
        self.buffer = deque(self.sentence)

    def __bool__(self):
        return bool(self.buffer) or len(self.stack) > 1

    def parse_step(self, transition):
        getattr(self, "_" + Transition(transition).name.lower())()

    def _shift(self):
        self.stack.append(self.buffer.popleft() if isinstance(self.buffer, deque) else self.buffer.pop(0))

    def _left(self):
        head = self.stack.pop()
        self._arc(head, self.stack.pop())
        self.stack.append(head)

    def _right(self):
        dependent = self.stack.pop()
        self._arc(self.stack[-1], dependent)

    def _arc(self, head, dependent):
        # newest arc first
        self.dependencies = deque([Arc(head, dependent), *self.dependencies])

    def parse(self, transitions):
        any(self.parse_step(transition) for transition in transitions)
        return self.dependencies


def batches(items, size):
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch


def minibatch_parse(sentences: List[List[str]], model, batch_size: int):
    parses = [PartialParse(sentence) for sentence in sentences]
    for batch in batches(parses, batch_size):
        while unfinished := [parse for parse in batch if parse]:
            for parse, transition in zip(unfinished, model.predict(partial_parses=unfinished)):
                parse.parse_step(transition)
    return tuple(parse.dependencies for parse in parses)
