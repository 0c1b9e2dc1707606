"""Tests the oracle, and the right parser on what it says, on every small tree."""

from itertools import combinations, product

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
