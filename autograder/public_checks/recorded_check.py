"""Recorded check: turns a visible check of a contract into plain data for the handout, and the data into its body.

The data holds requests, right values and shares. It holds neither the kinds of cases nor anything that they are drawn
from, so that nothing of a hidden check can be derived from it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import astuple
from pathlib import Path
from typing import Any

from autograder.contracts.body import run_check
from autograder.contracts.case import Case
from autograder.contracts.check import CacheSource, CaseCheck
from autograder.contracts.gradient_row import GradientCheck, Loss
from autograder.contracts.toy import Toy
from autograder.public_checks.expected import decode_plain, encode_plain, encode_rounded
from autograder.sandbox.host.callback_source import CallbackSource
from autograder.student import Student

_CASES, _GRADIENT, _TOY = "cases", "gradient", "toy"
_PLAIN = (
    *("function", "arguments", "parts", "shares", "part_shares", "order_share", "promise_share", "promising"),
    *("value_count", "ignored", "untouched", "keys", "gradients", "loss"),
)


def encode_check(check: CaseCheck | GradientCheck) -> dict[str, Any]:
    """Encode a check in JSON's types."""
    if isinstance(check, GradientCheck):
        return {"form": _GRADIENT} | _encode_call(check) | {"loss": _encode_call(check.loss)}
    source = check.source
    return {
        "form": _CASES,
        **{name: _encode_field(getattr(check, name)) for name in _PLAIN},
        "cases": [_encode_case(case) for case in check.cases],
        "alternatives": [[encode_rounded(dict(each)) for each in every] for every in check.alternatives.values()],
        "left": {name: list(place) for name, place in check.left.items()},
        "source": None if source is None else [source.function, source.part, source.place],
    }


def _encode_call(call: GradientCheck | Loss) -> dict[str, Any]:
    fields = {name: _encode_field(value) for name, value in call._asdict().items() if name != "loss"}
    return fields | {"arguments": _encode_arguments(call.arguments)}


def _encode_case(case: Case) -> dict[str, Any]:
    fields = {name: _encode_field(value) for name, value in case._asdict().items() if name != "kinds"}
    earlier = None if case.earlier is None else _encode_arguments(case.earlier)
    expected = encode_rounded(dict(case.expected))
    return fields | {"arguments": _encode_arguments(case.arguments), "earlier": earlier, "expected": expected}


def _encode_field(value: Any) -> Any:
    return encode_plain(dict(value) if isinstance(value, Mapping) else value)


def _encode_arguments(arguments: tuple[Any, ...]) -> list[Any]:
    return [{_TOY: encode_plain(astuple(each))} if isinstance(each, Toy) else encode_plain(each) for each in arguments]


def _decode_arguments(data: list[Any]) -> tuple[Any, ...]:
    return tuple(map(_decode_argument, data))


def _decode_argument(data: Any) -> Any:
    if isinstance(data, dict) and _TOY in data:
        source, *rest = decode_plain(data[_TOY])
        return Toy(CallbackSource(*source), *rest)
    return decode_plain(data)


def decode_check(data: Mapping[str, Any]) -> CaseCheck | GradientCheck:
    """Decode a check of `encode_check`."""
    if data["form"] == _GRADIENT:
        fields = {name: data[name] for name in GradientCheck._fields if name != "loss"}
        return GradientCheck(**_decode_fields(fields), loss=Loss(**_decode_fields(data["loss"])))
    plain = {name: decode_plain(data[name]) for name in _PLAIN}
    alternatives = {str(k): tuple(map(decode_plain, each)) for k, each in enumerate(data["alternatives"])}
    return CaseCheck(
        **plain,
        cases=tuple(Case(**_decode_fields(each)) for each in data["cases"]),
        alternatives=alternatives,
        left={name: (place, key) for name, (place, key) in data["left"].items()},
        source=None if data["source"] is None else CacheSource(*data["source"]),
    )


def _decode_fields(data: Mapping[str, Any]) -> dict[str, Any]:
    lists = {name: data[name] for name in ("arguments", "earlier") if data.get(name) is not None}
    plain = {name: decode_plain(value) for name, value in data.items() if name not in lists}
    return plain | {name: _decode_arguments(value) for name, value in lists.items()}


def load_body(path: Path, name: str, stem: str) -> Callable[[Student], None]:
    """Load the body of a check from a file of recorded checks, by the name of its test function."""

    def run(student: Student) -> None:
        data = json.loads(path.read_text(encoding="utf-8"))
        run_check(decode_check(data[name]), student, stem)

    return run
