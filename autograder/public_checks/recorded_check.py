"""Recorded check: turns a visible check of a contract into plain data for the handout, and the data into its body.

The data holds requests, right values and shares. It holds neither the kinds of cases nor anything that they are drawn
from, so that nothing of a hidden check can be derived from it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from autograder.contracts.body import run_check
from autograder.contracts.case import Case
from autograder.contracts.check import CacheSource, CaseCheck
from autograder.contracts.gradient_row import GradientCheck
from autograder.public_checks.expected import decode_plain, encode_plain, encode_rounded
from autograder.student import Student

_CASES, _GRADIENT = "cases", "gradient"
_PLAIN = ("function", "shares", "part_shares", "order_share", "promise_share", "value_count")
_TUPLES = ("arguments", "parts", "promising", "ignored")


def encode_check(check: CaseCheck | GradientCheck) -> dict[str, Any]:
    """Encode a check in JSON's types."""
    if isinstance(check, GradientCheck):
        fields = {name: getattr(check, name) for name in ("function", "arguments", "parts", "loss")}
        return {"form": _GRADIENT, "gradients": dict(check.gradients)} | {k: encode_plain(v) for k, v in fields.items()}
    source = check.source
    return {
        "form": _CASES,
        **{name: encode_plain(getattr(check, name)) for name in (*_PLAIN, *_TUPLES)},
        "cases": [_encode_case(case) for case in check.cases],
        "alternatives": [[encode_rounded(dict(each)) for each in every] for every in check.alternatives.values()],
        "left": {name: list(place) for name, place in check.left.items()},
        "source": None if source is None else [source.function, source.part, source.place],
    }


def _encode_case(case: Case) -> dict[str, Any]:
    return {
        "arguments": encode_plain(case.arguments),
        "expected": encode_rounded(dict(case.expected)),
        "group": case.group,
        "is_single": case.is_single,
        "earlier": encode_plain(case.earlier),
    }


def decode_check(data: Mapping[str, Any]) -> CaseCheck | GradientCheck:
    """Decode a check of `encode_check`."""
    if data["form"] == _GRADIENT:
        arguments, parts = decode_plain(data["arguments"]), decode_plain(data["parts"])
        return GradientCheck(data["function"], arguments, parts, data["gradients"], data["loss"])
    plain = {name: decode_plain(data[name]) for name in (*_PLAIN, *_TUPLES)}
    alternatives = {str(k): tuple(map(decode_plain, each)) for k, each in enumerate(data["alternatives"])}
    return CaseCheck(
        **plain,
        cases=tuple(map(_decode_case, data["cases"])),
        alternatives=alternatives,
        left={name: (place, key) for name, (place, key) in data["left"].items()},
        source=None if data["source"] is None else CacheSource(*data["source"]),
    )


def _decode_case(data: Mapping[str, Any]) -> Case:
    values = {name: decode_plain(data[name]) for name in ("arguments", "expected", "earlier")}
    return Case(**values, group=data["group"], is_single=data["is_single"])


def load_body(path: Path, name: str, stem: str) -> Callable[[Student], None]:
    """Load the body of a check from a file of recorded checks, by the name of its test function."""

    def run(student: Student) -> None:
        data = json.loads(path.read_text(encoding="utf-8"))
        run_check(decode_check(data[name]), student, stem)

    return run
