"""Parse tables: reads a table of arc-standard transitions and judges whether each row follows from the row before.

Words are identified by their positions, counted from 1; 0 is ROOT.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Arc = tuple[int, int]  # positions of head and dependent
Words = tuple[str, str]  # the same in words, in lower case

_EMPTY = {"", "-", "--", "–", "—", "none", "empty", "n/a", "nil", "∅", "ε", "/"}  # noqa: RUF001  (dashes of editors)
_SEPARATORS = re.compile(r"[\[\](){}<>,;|\s]+")
_RIGHT_ARROW = re.compile(r"[-–—=]*>|→|⟶|⇒|➔")  # noqa: RUF001
_LEFT_ARROW = re.compile(r"<[-–—=]+|←|⟵|⇐")  # noqa: RUF001
_TRANSITIONS = {
    **dict.fromkeys(("s", "sh", "shift"), "SHIFT"),
    **dict.fromkeys(("la", "l", "left", "leftarc"), "LEFT-ARC"),
    **dict.fromkeys(("ra", "r", "right", "rightarc"), "RIGHT-ARC"),
}
_LONGEST = 200  # characters quoted of a cell


@dataclass(frozen=True)
class Sentence:
    """A sentence and the arcs of each gold tree."""

    words: tuple[str, ...]
    trees: tuple[frozenset[Arc], ...]

    @property
    def steps(self) -> int:
        """Number of transitions of a whole parse: each word is shifted once and gets one arc."""
        return 2 * len(self.words)

    def get_word(self, position: int) -> str:
        """Return the word as it is written; ROOT for 0."""
        return "ROOT" if position == 0 else self.words[position - 1]

    def show(self, positions: Sequence[int]) -> str:
        """Write a stack or buffer in words."""
        return "[" + " ".join(map(self.get_word, positions)) + "]"

    def show_arc(self, arc: Arc) -> str:
        """Write an arc in words."""
        return f"{self.get_word(arc[0])}->{self.get_word(arc[1])}"

    def find_positions(self, tokens: Sequence[str], expected: Sequence[int]) -> list[int] | None:
        """Find the positions of the words in `tokens`, the expected ones if they match; None for an unknown word."""
        if [self.get_word(each).casefold() for each in expected] == list(tokens):
            return list(expected)
        free = list(range(len(self.words) + 1))
        found = []
        for token in tokens:
            same = [position for position in free if self.get_word(position).casefold() == token]
            if not same:
                return None
            free.remove(same[0])
            found.append(same[0])
        return found


@dataclass(frozen=True)
class State:
    """A stack, its top last, and a buffer, its first word first."""

    stack: tuple[int, ...]
    buffer: tuple[int, ...]

    def apply(self, transition: str) -> tuple["State", Arc | None] | str:
        """Return the next state and the arc added; for an illegal transition, a text with the reason."""
        if transition == "SHIFT":
            if not self.buffer:
                return "the buffer is empty, so there is nothing to shift"
            return State((*self.stack, self.buffer[0]), self.buffer[1:]), None
        if len(self.stack) < 2:
            return "an arc needs two items on the stack"
        below, top = self.stack[-2:]
        if transition == "RIGHT-ARC":
            return State(self.stack[:-1], self.buffer), (below, top)
        if below == 0:
            return "ROOT would become a dependent"
        return State((*self.stack[:-2], top), self.buffer), (top, below)


@dataclass
class Judgement:
    """The judgement of a table: how many rows have a transition, how many are right, and a line for each wrong row."""

    count: int = 0
    right: int = 0
    faults: list[str] = field(default_factory=list)
    arcs: set[Arc] = field(default_factory=set)
    is_finished: bool = False

    def add(self, step: "Step") -> None:
        """Count one row."""
        self.count += 1
        self.right += not step.faults
        self.faults += [f"row {self.count}: " + "; ".join(step.faults)] if step.faults else []
        self.arcs |= {step.arc} - {None}


@dataclass(frozen=True)
class Step:
    """A row: its faults, the arc that its transition adds, the right state after it, and the state it shows."""

    faults: tuple[str, ...]
    arc: Arc | None
    after: State
    shown: State


def read_sentence(data: Mapping[str, Any]) -> Sentence:
    """Read the sentence of an entry of assignment.toml."""
    trees = [frozenset((head, word) for word, head in enumerate(heads, start=1)) for heads in data["trees"]]
    return Sentence(tuple(data["sentence"].split()), tuple(trees))


def judge(rows: Sequence[Mapping[str, str]], sentence: Sentence) -> Judgement:
    """Simulate the table; a row without a transition that repeats the state before it, as the first may, is skipped.

    A row may follow from the state that the row before shows, or from the state that it should show: a slip of the pen
    costs one row, and so does a mistake from which the next row continues.
    """
    found = Judgement()
    start = State((0,), tuple(range(1, len(sentence.words) + 1)))
    before = [start]
    stated: set[Words] = set()
    for row in rows:
        if parse_transition(row["transition"]) is None and any(_is_state(row, state, sentence) for state in before):
            continue
        step = min((_judge_row(row, state, stated, sentence) for state in before), key=lambda each: len(each.faults))
        found.add(step)
        stated.update(parse_arcs(row["new dependency"]) or ())
        before = list(dict.fromkeys((step.shown, step.after)))
    found.is_finished = before[0] == State((0,), ())
    return found


def find_nearest_tree(arcs: set[Arc], sentence: Sentence) -> frozenset[Arc]:
    """Find the gold tree that shares most arcs."""
    return max(sentence.trees, key=lambda tree: len(tree & arcs))


def split_cell(cell: str) -> list[str]:
    """Split a cell into its words in lower case, without brackets, commas and quotes; a mark of emptiness has none."""
    if cell.strip().casefold() in _EMPTY:
        return []
    tokens = [token.strip("'\"`‘’“”") for token in _SEPARATORS.split(cell.casefold())]  # noqa: RUF001
    return [token for token in tokens if token and token not in _EMPTY]


def parse_arcs(cell: str) -> list[Words] | None:
    """Parse the arcs of a cell into pairs of words, head first; None if it cannot be read."""
    text = _LEFT_ARROW.sub(" ← ", _RIGHT_ARROW.sub(" → ", cell)) if cell.strip() not in _EMPTY else ""
    tokens = split_cell(text)
    if "→" not in tokens and "←" not in tokens:
        pairs = list(zip(tokens[::2], tokens[1::2], strict=False))
        return pairs if len(tokens) % 2 == 0 else None
    triples = [tokens[start : start + 3] for start in range(0, len(tokens), 3)]
    if any(len(triple) != 3 or triple[1] not in ("→", "←") for triple in triples):
        return None
    return [(first, last) if arrow == "→" else (last, first) for first, arrow, last in triples]


def parse_transition(cell: str) -> str | None:
    """Parse SHIFT, LEFT-ARC or RIGHT-ARC under their usual names, with or without a label; None for anything else."""
    words = [word for word in re.split(r"[^a-z]+", cell.casefold()) if word]
    return _TRANSITIONS.get(words[0]) if words else None


def _is_state(row: Mapping[str, str], state: State, sentence: Sentence) -> bool:
    stack, buffer = (
        sentence.find_positions(split_cell(row[name]), getattr(state, name)) for name in ("stack", "buffer")
    )
    return stack == list(state.stack) and buffer == list(state.buffer)


def _judge_row(row: Mapping[str, str], state: State, stated: set[Words], sentence: Sentence) -> Step:
    transition = parse_transition(row["transition"])
    if transition is None:
        written = row["transition"][:_LONGEST]
        fault = f"the transition {written!r} is none of SHIFT, LEFT-ARC and RIGHT-ARC" if written else "no transition"
        return Step((fault,), None, state, _read_state(row, state, sentence))
    result = state.apply(transition)
    if isinstance(result, str):
        fault = f"{transition} is not legal: {result}"
        return Step((fault,), None, state, _read_state(row, state, sentence))
    after, arc = result
    faults = [
        f"the {name} is not what {transition} makes of the row before: {sentence.show(getattr(after, name))}"
        for name in ("stack", "buffer")
        if sentence.find_positions(split_cell(row[name]), getattr(after, name)) != list(getattr(after, name))
    ]
    faults += _find_arc_faults(row["new dependency"], arc, transition, stated, sentence)
    return Step(tuple(faults), arc, after, _read_state(row, after, sentence))


def _find_arc_faults(cell: str, arc: Arc | None, transition: str, stated: set[Words], sentence: Sentence) -> list[str]:
    written = parse_arcs(cell)
    if written is None:
        return [f"the new dependency {cell[:_LONGEST]!r} cannot be read; write head->dependent"]
    wanted = set() if arc is None else {(sentence.get_word(arc[0]).casefold(), sentence.get_word(arc[1]).casefold())}
    if wanted <= set(written) <= stated | wanted:  # some students list all dependencies so far
        return []
    if arc is None:
        return [f"{transition} adds no dependency"]
    what = "none is written" if not written else "another is written"
    return [f"{transition} adds the dependency {sentence.show_arc(arc)}, and {what}"]


def _read_state(row: Mapping[str, str], otherwise: State, sentence: Sentence) -> State:
    """Read the state that the student's row shows, from which the next row is judged."""
    stack = sentence.find_positions(split_cell(row["stack"]), otherwise.stack)
    buffer = sentence.find_positions(split_cell(row["buffer"]), otherwise.buffer)
    return otherwise if stack is None or buffer is None else State(tuple(stack), tuple(buffer))
