"""Reference edits: finds the versions of the right function with one error in its text that give the student's values.

The edits are those that judge the hidden tests (`autograder/mutation/`). A version is listed only if it gives the
student's value in every call whose arguments are plain values. Loops that an edit makes endless are ended.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from autograder.diagnosis.argument_changes import gives_value, is_plain
from autograder.diagnosis.match import Call
from autograder.diagnosis.replay import find_code
from autograder.diagnosis.replies import is_same_reply
from autograder.mutation import Mutant, Reference
from autograder.mutation.edit_operators import EditKind
from autograder.sandbox.protocol.wire import Handle

_MOST_TURNS = 5_000  # of a `while`; those of right functions make fewer than a thousand
_ORDER = {kind: position for position, kind in enumerate(EditKind)}


class EditedFunction(NamedTuple):
    """A function of the reference with one edit, of this kind."""

    kind: EditKind
    code: Any


def find_edits(reference: ModuleType, function: str, calls: Sequence[Call]) -> Iterator[EditedFunction]:
    """Find the edits that give the student's values in all calls with plain arguments; likely kinds come first."""
    if getattr(reference, "__file__", None) is None:
        return
    plain = [each for each in calls if all(map(is_plain, each.arguments)) and not isinstance(each.right, Handle)]
    wrong = [each for each in plain if not is_same_reply(each.theirs, each.right)]
    if wrong and all(map(_returns_argument, wrong)):
        return  # nothing was computed
    source = _read(reference)
    for mutant in _list_mutants(reference, function):
        code, _ = find_code(source.make_module(mutant.install), function)
        if mutant.kind is not None and all(gives_value(code, each) for each in (*wrong[:1], *plain)):
            yield EditedFunction(mutant.kind, code)


@functools.cache
def _read(reference: ModuleType) -> Reference:
    return Reference(reference.__name__.rpartition(".")[2], Path(str(reference.__file__)), most_turns=_MOST_TURNS)


@functools.cache
def _list_mutants(reference: ModuleType, function: str) -> Sequence[Mutant]:
    """List the edits of a function once for both passes and all submissions; each keeps its compiled code."""
    return sorted(_read(reference).list_syntax_mutants(function), key=_rank)


def _returns_argument(call: Call) -> bool:
    value = call.theirs
    return any(is_same_reply(value, each) for each in call.arguments) or is_same_reply(value, call.arguments)


def _rank(mutant: Mutant) -> int:
    return _ORDER[mutant.kind] if mutant.kind is not None else len(_ORDER)
