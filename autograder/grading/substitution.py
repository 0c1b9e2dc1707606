"""Substitution: turns the functions that an attempt replaces into requests to a worker, with callbacks that answer."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import astuple
from typing import Any

from autograder.grading.attempt import Attempt
from autograder.grading.material import Material
from autograder.grading.prerequisites import find_owner
from autograder.sandbox.calls.by_position import take_by_position
from autograder.sandbox.host.callbacks import Callback, ServedClass
from autograder.sandbox.host.exports import Exports
from autograder.sandbox.protocol import messages


def list_substitutions(material: Material, attempt: Attempt, exports: Exports) -> Iterator[tuple[object, ...]]:
    """Yield a request for each function, method or class that the attempt replaces by the reference's."""
    assert material.files.main is not None or not attempt.substituted  # noqa: S101  (the file was imported)
    names = [function.name for function in material.question.functions]
    kept = tuple(material.find_spelling(name.rpartition(".")[2]) for name in names)
    owners = {find_owner(name) for name in attempt.functions}
    for function in attempt.substituted:
        name, _, method = function.partition(".")
        target = getattr(material.reference, name)
        path = material.find_spelling(name)
        if not isinstance(target, type):
            callback = _make_callback(material, name, target)
            export, counts = exports.add(callback), {"": len(callback.keywords)}
        else:
            # A class that is not under test is replaced whole; of one that is under test, a method or the constructor.
            method = method or ("__init__" if name in owners else "")
            methods = [method] if method else sorted(material.classes[name])
            served = ServedClass(target, tuple(target.__annotations__))
            export = exports.add_class(served, methods, is_whole=not method)
            counts = {each: len(inspect.signature(getattr(target, each)).parameters) for each in methods}
            path = f"{path}.{method}" if method else path
        module = material.files.main.module if material.files.main is not None else ""
        yield (messages.SUBSTITUTE, module, path, astuple(export), counts, kept, attempt.runs_constructors)


def _make_callback(material: Material, name: str, target: Callable[..., Any]) -> Callback:
    """Return a function of the reference, as a callback that takes the arguments of the student's variant."""
    target = take_by_position(target)
    parameters = tuple(inspect.signature(target).parameters)
    taken = material.drop_arguments(name, tuple(range(len(parameters))))

    def call(*arguments: Any) -> Any:
        given = dict(zip(taken, arguments, strict=False))
        return target(*(given.get(position) for position in range(max(given, default=-1) + 1)))

    return Callback(call, [(parameters[position],) for position in taken])
