"""A function that takes a cache is drafted with a driver, whose arguments are those of both functions."""

from __future__ import annotations

from types import ModuleType

import pytest

from autograder.contracts import SignatureError
from autograder.questions.cache_draft import draft_cache

FORWARD = "skip(x: (N,), by: {stride: 1 | 2}, scale: float = 1.0) -> out: (M,), cache where N >= 2"


def test_an_argument_that_has_the_size_of_a_returned_value_is_drawn() -> None:
    texts = {"skip": FORWARD, "back": "back(dout: (M,), cache: cache of skip) -> dx: (N,) where N < 99"}
    drafted = draft_cache(ModuleType("reference"), "back", texts)
    condition = "N >= 2 and N < 99"
    assert drafted.text == f"x: (N,), by: {{stride: 1 | 2}}, scale: float, dout: any -> dx: (N,) where {condition}"
    assert "    _out, cache = student.skip(x, by, scale)\n    return student.back(dout, cache)" in drafted.source
    assert '    by = {"stride": known["stride"]}\n' in drafted.source
    assert set(drafted.options) == {"driver", "draw"}


def test_an_argument_whose_size_nothing_has_is_refused() -> None:
    texts = {"skip": FORWARD, "back": "back(dout: (K,), cache: cache of skip) -> dx: (N,)"}
    with pytest.raises(SignatureError, match="back: nothing says how large K is, an axis of dout"):
        draft_cache(ModuleType("reference"), "back", texts)
