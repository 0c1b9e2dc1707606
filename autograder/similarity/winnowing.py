"""Winnowing: turns the syntax tokens of a function into fingerprints, so few that a class can be compared.

Source: S. Schleimer, D. S. Wilkerson, A. Aiken, "Winnowing: local algorithms for document fingerprinting", SIGMOD 2003.
Of each window of hashes of neighbouring tokens the smallest is kept; equal parts of two texts that are long enough then
have a fingerprint in common.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

# Measured on the independent right styles of tests/selftest/right, without starter code. With 10 tokens two of them
# share 58 % of a question, since a line such as `x / np.sqrt(np.sum(x ** 2, axis=1, keepdims=True))` has about 15; with
# 20 tokens, about two statements, at most 47 %, where one has 19 fingerprints. With 25 tokens and windows of 8, short
# functions have none.
NOISE = 20
WINDOW = 5


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
