"""Right solutions of parser_transitions: turn transitions of the arc-standard system into dependency trees.

A state is a stack, a buffer and the dependencies found so far. A sentence of n words is parsed in exactly 2n
transitions, because every word is shifted once and given its head once.
"""

from collections.abc import Iterable, Sequence
from typing import Protocol

Dependency = tuple[str, str]


class PartialParse:
    """The parse of one sentence: its state between the words and the finished tree.

    Attributes:
        sentence: the words, as given; never changed.
        stack: words in work, the top last; starts as ["ROOT"].
        buffer: words not yet shifted, the next one first; starts as a copy of the sentence.
        dependencies: (head, dependent) pairs, in the order in which they were found; starts empty.

    Source: Nivre 2008, Algorithms for Deterministic Incremental Dependency Parsing, section 4.1;
    in the form with both words of an arc on the stack: Chen and Manning 2014, section 2.
    """

    sentence: Sequence[str]
    stack: list[str]
    buffer: list[str]
    dependencies: list[Dependency]

    def __init__(self, sentence: Sequence[str]) -> None:
        """Start the parse of a sentence; the lists are new, so that parses share nothing."""
        self.sentence = sentence
        self.stack = ["ROOT"]
        self.buffer = list(sentence)
        self.dependencies = []

    def parse_step(self, transition: str) -> None:
        """Apply one transition to the state.

        Shapes: transition is one of "S", "LA", "RA"; with stack [..., s2, s1] and buffer [b1, ...]:
        Formula:
            S  (shift):     b1 goes from the buffer to the top of the stack
            LA (left-arc):  add (s1, s2), take s2 off the stack
            RA (right-arc): add (s2, s1), take s1 off the stack
        Derivation: an arc is named after the way it points in the sentence. s2 is left of s1, because words reach
            the stack from left to right; an arc to the left therefore starts at s1 and ends at s2. The dependent leaves
            the stack: a word has one head, and nothing may be attached to it later.
        Numerics: strings are compared by value; "LA" read from a file is not the same object as the literal.
        Source: Chen and Manning 2014, A Fast and Accurate Dependency Parser using Neural Networks, section 2.
        """
        if transition == "S":
            self.stack.append(self.buffer.pop(0))
        elif transition == "LA":
            dependent = self.stack.pop(-2)
            self.dependencies.append((self.stack[-1], dependent))
        elif transition == "RA":
            dependent = self.stack.pop()
            self.dependencies.append((self.stack[-1], dependent))
        else:
            raise ValueError(f"unknown transition {transition!r}: use 'S', 'LA' or 'RA'")

    def parse(self, transitions: Iterable[str]) -> list[Dependency]:
        """Apply the transitions one after another.

        Shapes: any number of transitions, all legal in turn; returns the dependencies found so far.
        Formula: `c_t = transition_t(c_{t-1})`, where `c` is the state
        Derivation: the state after a step is all that the next step depends on.
        Numerics: none; no arithmetic takes place.
        Source: Nivre 2008, section 3.
        """
        for transition in transitions:
            self.parse_step(transition)
        return self.dependencies


class TransitionModel(Protocol):
    """A model that predicts the next transition of each of several unfinished parses."""

    def predict(self, partial_parses: list[PartialParse]) -> Sequence[str]:
        """Return one transition a parse, in the order of the parses."""


def minibatch_parse(
    sentences: Sequence[Sequence[str]], model: TransitionModel, batch_size: int
) -> list[list[Dependency]]:
    """Parse many sentences, asking the model about up to batch_size of them at a time.

    Shapes: M sentences of any lengths (M may be 0); batch_size >= 1, also above M; returns M dependency lists,
        in the order of the sentences.
    Formula: a parse is finished when its buffer is empty and its stack holds one item (ROOT).
    Derivation:
        both conditions are needed: the buffer is empty as soon as the last word is shifted, long before its arcs are
            drawn; and the stack holds ROOT alone at the start and after every right-arc from ROOT.
        the unfinished list is a second list of the same parses: it is rebuilt after every step, so two parses that
            finish together are both taken out, while the first list keeps the order for the result.
    Numerics: a slice past the end of a list is short, not an error, so the last batch needs no special case.
    Source: Chen and Manning 2014, section 3; Nivre 2008, section 4.1 for the final state.
    """
    partial_parses = [PartialParse(sentence) for sentence in sentences]  # (M,)
    unfinished = list(partial_parses)  # (M,), later shorter
    while unfinished:
        batch = unfinished[:batch_size]  # (at most batch_size,)
        for parse, transition in zip(batch, model.predict(batch), strict=True):
            parse.parse_step(transition)
        unfinished = [parse for parse in unfinished if parse.buffer or len(parse.stack) > 1]
    return [parse.dependencies for parse in partial_parses]  # (M,)
