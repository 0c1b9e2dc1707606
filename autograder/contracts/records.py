"""Records: lists the kinds of records that a derived check is made of; whoever writes checks down knows no others."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from autograder.contracts.case import Case
from autograder.contracts.check import CacheSource, CaseCheck
from autograder.contracts.gradient_row import GradientCheck, Loss
from autograder.contracts.law import LawRun
from autograder.contracts.law_judgement import Laws
from autograder.contracts.live_argument import Constant, Generator
from autograder.contracts.object_check import ObjectCase, ObjectCheck
from autograder.contracts.object_request import Step
from autograder.contracts.open_check import OpenCheck
from autograder.contracts.rule import Rule
from autograder.contracts.talk import Draws
from autograder.contracts.toy import Toy
from autograder.sandbox.host.callbacks import CallbackSource

_OF_FUNCTIONS = (CacheSource, CallbackSource, Case, CaseCheck, GradientCheck, Loss, Toy)
_OPEN = (Constant, Draws, Generator, LawRun, Laws, OpenCheck, Rule)
RECORDS: Mapping[str, Any] = {each.__name__: each for each in (*_OF_FUNCTIONS, *_OPEN, ObjectCase, ObjectCheck, Step)}
"""The classes by name."""


def list_fields(value: Any) -> dict[str, Any] | None:
    """List the fields of a named tuple or a dataclass, in their order; None for a value of another kind."""
    if hasattr(value, "_fields"):
        return dict(value._asdict())
    if dataclasses.is_dataclass(value):
        return {each.name: getattr(value, each.name) for each in dataclasses.fields(value)}
    return None
