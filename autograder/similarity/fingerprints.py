"""Fingerprints: finds, among the syntax tokens of a class, the pairs of answers to a question that are closest.

Source: S. Schleimer, D. S. Wilkerson, A. Aiken, "Winnowing: local algorithms for document fingerprinting", SIGMOD 2003.
Of each window of hashes of neighbouring tokens the smallest is kept; equal parts of two texts that are long enough then
have a fingerprint in common.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

# Measured on the independent right styles of tests/selftest/right, without starter code. With 10 tokens two of them
# share 58 % of a question, since a line such as `x / np.sqrt(np.sum(x ** 2, axis=1, keepdims=True))` has about 15; with
# 20 tokens, about two statements, at most 47 %, where one has 19 fingerprints. With 25 tokens and windows of 8, short
# functions have none.
NOISE = 20
WINDOW = 5
# Less is no evidence: of two independent right answers one may have nine fingerprints of the other, where it is short.
LEAST_SHARED = 12
LEAST_SHARE = 0.5  # of the smaller answer; independent right answers share at most 0.3 where they share so many
# What more students have than this was taught or is the obvious way; a copy that is passed on to fewer is still found.
COMMON = 10
COMMON_SHARE = 0.1


@dataclass(frozen=True)
class Passage:
    """The lines of a file in which a fingerprint has its tokens, both inclusive."""

    path: str
    first: int
    last: int


@dataclass(frozen=True)
class Answer:
    """One submission's answer to one question: its fingerprints, each with its passage."""

    name: str
    passages: Mapping[int, Passage]


@dataclass(frozen=True)
class Pair:
    """Two answers to one question; `shared`: the fingerprints of both, `share`: their part of the smaller answer."""

    stem: str
    first: Answer
    second: Answer
    shared: frozenset[int]
    share: float


def find_pairs(stem: str, answers: Sequence[Answer], starter: Collection[int]) -> list[Pair]:
    """Find the pairs that share much, the closest first; `starter`: fingerprints of code that all received."""
    kept = list(_drop_common(answers, starter))
    holders: dict[int, list[int]] = defaultdict(list)
    for position, answer in enumerate(kept):
        for mark in answer.passages:
            holders[mark].append(position)
    counts = Counter(pair for positions in holders.values() for pair in combinations(positions, 2))
    pairs = [_build_pair(stem, kept[one], kept[other]) for (one, other), n in counts.items() if n >= LEAST_SHARED]
    close = [pair for pair in pairs if pair.share >= LEAST_SHARE]
    return sorted(close, key=lambda pair: (-pair.share, -len(pair.shared), pair.first.name, pair.second.name))


def _drop_common(answers: Sequence[Answer], starter: Collection[int]) -> Iterator[Answer]:
    counts = Counter(mark for answer in answers for mark in answer.passages)
    most = max(COMMON, COMMON_SHARE * len(answers))
    for answer in answers:
        own = {mark: at for mark, at in answer.passages.items() if mark not in starter and counts[mark] <= most}
        yield Answer(answer.name, own)


def _build_pair(stem: str, first: Answer, second: Answer) -> Pair:
    shared = frozenset(first.passages.keys() & second.passages.keys())
    return Pair(stem, first, second, shared, len(shared) / min(len(first.passages), len(second.passages)))


def find_fingerprints(tokens: Sequence[str], lines: Sequence[int]) -> dict[int, tuple[int, int]]:
    """Find the fingerprints of a sequence, each with the first and the last line of its first place.

    A match of fewer than NOISE tokens is never found, one of NOISE + WINDOW - 1 tokens always.
    """
    hashes = [_hash(tokens[start : start + NOISE]) for start in range(len(tokens) - NOISE + 1)]
    found: dict[int, tuple[int, int]] = {}
    for position in _choose(hashes):
        covered = lines[position : position + NOISE]
        found.setdefault(hashes[position], (min(covered), max(covered)))
    return found


def _choose(hashes: Sequence[int]) -> Iterator[int]:
    """Yield the position of the smallest hash of each window, the last of equal ones, once."""
    before = -1
    for start in range(max(1, len(hashes) - WINDOW + 1) if hashes else 0):
        window = range(start, min(start + WINDOW, len(hashes)))
        position = min(window, key=lambda each: (hashes[each], -each))
        if position != before:
            yield position
            before = position


def _hash(tokens: Sequence[str]) -> int:
    digest = hashlib.blake2b("\0".join(tokens).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big")
