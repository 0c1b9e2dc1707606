"""Tests the right parser and its oracle against a different parser, on random states and on every small tree."""

from __future__ import annotations

import zlib
from itertools import combinations, product

import numpy as np
import pytest

from reference.arc_standard_oracle import NotProjectiveError, gold_transitions, is_projective
from reference.parser_transitions import PartialParse

pytestmark = pytest.mark.content


def has_crossing_arcs(heads: list[int]) -> bool:
    """Compare every pair of arcs, ROOT at position 0: two cross when exactly one end of one lies inside the other."""
    spans = [(min(word, head), max(word, head)) for word, head in enumerate(heads, start=1)]
    return any(a < c < b < d or c < a < d < b for (a, b), (c, d) in combinations(spans, 2))


def is_tree(heads: tuple[int, ...]) -> bool:
    """Reach every word from ROOT by going down."""
    reached = {0}
    for _ in heads:
        reached |= {word for word, head in enumerate(heads, start=1) if head in reached}
    return len(reached) == len(heads) + 1


def simulate(words: list[str], transitions: list[str]) -> tuple[list[str], list[str], list[tuple[str, str]]]:
    """Parse with one list and two marks instead of a stack and a buffer: None marks a word that has left the stack."""
    line: list[str | None] = ["ROOT", *words]
    shifted, arcs = 1, []
    for transition in transitions:
        if transition == "S":
            shifted += 1
            continue
        below, top = [position for position in range(shifted) if line[position] is not None][-2:]
        head, dependent = (top, below) if transition == "LA" else (below, top)
        arcs.append((str(line[head]), str(line[dependent])))
        line[dependent] = None
    return [word for word in line[:shifted] if word is not None], [str(word) for word in line[shifted:]], arcs


def choose_transition(stack: list[str], buffer: list[str]) -> str:
    """Choose a legal transition by a hash of the state."""
    legal = ["S"] * bool(buffer) + ["LA"] * (len(stack) > 2) + ["RA"] * (len(stack) > 1)
    return legal[zlib.crc32(repr((stack, buffer)).encode()) % len(legal)]


def test_every_step_matches_the_simulation() -> None:
    rng = np.random.default_rng(2)
    for _ in range(100):
        words = [str(rng.choice(["to", "be", "or", "not"])) for _ in range(int(rng.integers(1, 12)))]
        parse, transitions = PartialParse(words), []
        while parse.buffer or len(parse.stack) > 1:
            transitions.append(choose_transition(parse.stack, parse.buffer))
            parse.parse_step(transitions[-1])
            assert (parse.stack, parse.buffer, parse.dependencies) == simulate(words, transitions)


@pytest.mark.parametrize("length", [1, 2, 3, 4, 5])
def test_oracle_and_parser_rebuild_every_small_projective_tree(length: int) -> None:
    trees = [heads for heads in product(range(length + 1), repeat=length) if is_tree(heads)]
    assert len(trees) == (length + 1) ** (length - 1)  # Cayley's formula: none is left out
    words = [f"w{position}" for position in range(1, length + 1)]
    for heads in trees:
        assert is_projective(heads) is not has_crossing_arcs(list(heads))
        if is_projective(heads):
            arcs = PartialParse(words).parse(gold_transitions(heads))
            assert set(arcs) == {(["ROOT", *words][head], word) for word, head in zip(words, heads, strict=True)}
            assert len(gold_transitions(heads)) == 2 * length


@pytest.mark.parametrize(
    ("heads", "error", "message"),
    [
        ([1], ValueError, "does not reach ROOT"),
        ([2, 1], ValueError, "does not reach ROOT"),
        ([0, 3, 4, 2], ValueError, "does not reach ROOT"),
        ([2, 2, 0], ValueError, "does not reach ROOT"),
        ([0, -1], ValueError, r"outside 0\.\.2"),
        ([0, 3], ValueError, r"outside 0\.\.2"),
        ([3, 4, 0, 3], NotProjectiveError, "arcs cross"),
    ],
)
def test_oracle_refuses_what_is_no_projective_tree(heads: list[int], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        gold_transitions(heads)
