"""Recording: turns the calls of visible tests to the reference into recorded results for the handout.

Only calls made by a test itself are recorded, never calls between functions of the reference.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FunctionType, ModuleType
from typing import Any

from autograder.packaging.tree import PackagingError
from autograder.public_checks.expected import compute_key, encode_rounded
from autograder.sandbox.calls.by_position import take_by_position


class Recorder:
    """Records the results of one module of the reference."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module
        self._depth = 0
        self.results: dict[str, Any] = {}

    def serialize(self) -> dict[str, Any]:
        """Return the content of the file that `expected.load_recorded` reads."""
        classes = {name: sorted(_list_methods(value)) for name, value in self._list_own(type)}
        functions = [name for name, _ in self._list_own(FunctionType)]
        return {"functions": functions, "classes": classes, "results": dict(sorted(self.results.items()))}

    @contextmanager
    def listen(self) -> Iterator[None]:
        """Record the results of the module's functions and methods inside the block."""
        owners = [(self._module, name, value) for name, value in self._list_own(FunctionType)]
        for _, kind in self._list_own(type):
            owners += [(kind, name, value) for name, value in _list_methods(kind).items()]
        for owner, name, value in owners:
            setattr(owner, name, self._wrap(owner, name, value))
        try:
            yield
        finally:
            for owner, name, value in owners:
                setattr(owner, name, value)

    def _list_own(self, kind: type) -> list[tuple[str, Any]]:
        found = vars(self._module).items()
        return [(name, each) for name, each in found if isinstance(each, kind) and _is_own(each, self._module)]

    def _wrap(self, owner: Any, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        is_method = owner is not self._module
        full_name = f"{owner.__name__}.{name}" if is_method else name

        function = take_by_position(function)

        @functools.wraps(function)
        def record_call(*arguments: Any, **keywords: Any) -> Any:
            if keywords:
                arguments = inspect.signature(function).bind(*arguments, **keywords).args
            self._depth += 1
            try:
                given = (dict(vars(arguments[0])), *arguments[1:]) if is_method else arguments
                key = compute_key(full_name, given)
                value = function(*arguments)
                if self._depth == 1:
                    self._keep(key, full_name, (dict(vars(arguments[0])), value) if is_method else value)
                return value
            finally:
                self._depth -= 1

        return record_call

    def _keep(self, key: str, name: str, value: Any) -> None:
        plain = encode_rounded(value)
        if self.results.setdefault(key, plain) != plain:
            raise PackagingError(f"two visible tests call {name} with arguments that the handout cannot tell apart")


def _list_methods(kind: type) -> dict[str, Callable[..., Any]]:
    return {name: value for name, value in vars(kind).items() if isinstance(value, FunctionType)}


def _is_own(value: Any, module: ModuleType) -> bool:
    return inspect.getmodule(value) is module
