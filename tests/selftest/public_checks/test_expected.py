"""Recorded results are found by their arguments, whatever kind of plain value these are."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from autograder.public_checks.expected import build_recorded, compute_key, encode_rounded

pytestmark = pytest.mark.slow


class Point(NamedTuple):
    x: float
    y: float


def test_a_named_tuple_is_a_tuple() -> None:
    results = {compute_key("f", [Point(1.0, 2.0)]): encode_rounded(Point(3.0, 4.0))}
    recorded = build_recorded({"functions": ["f"], "classes": {}, "results": results})
    assert recorded["f"]((1.0, 2.0)) == (3.0, 4.0)
