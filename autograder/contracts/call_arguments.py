"""Call arguments: puts the values that were drawn for a case into the arguments of a call, dicts among them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from autograder.contracts.case_design import BACKWARDS, SORTED, CaseDesign, Way
from autograder.contracts.signature import Argument, DictKind


def build_arguments(
    arguments: Sequence[Argument], values: Mapping[Way, Any], design: CaseDesign, above: Way = ()
) -> tuple[Any, ...]:
    """Build the arguments of a call from the values that were drawn."""
    built = [
        _build_dict(each.kind, values, design, (*above, each.name))
        if isinstance(each.kind, DictKind)
        else values[(*above, each.name)]
        for each in arguments
    ]
    names = [each.name for each in arguments]
    return tuple(built[: names.index(design.left_out)] if design.left_out in names else built)


def _build_dict(kind: DictKind, values: Mapping[Way, Any], design: CaseDesign, way: Way) -> dict[str, Any]:
    built = zip(kind.items, build_arguments(kind.items, values, CaseDesign(design.group), way), strict=True)
    made = {each.name: value for each, value in built if (*way, each.name) != design.absent}
    if design.key_order == BACKWARDS:
        return dict(reversed(made.items()))
    return dict(sorted(made.items())) if design.key_order == SORTED else made
