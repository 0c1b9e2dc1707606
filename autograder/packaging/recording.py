"""Recording: runs the visible tests on the right solutions and keeps what the tests ask of the reference.

Only what a test itself asks for is kept, never what one function of the reference asks of another.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FunctionType, ModuleType
from typing import Any

from autograder.packaging.tree import PackagingError
from autograder.public_checks.expected import as_plain, compute_key


class Recorder:
    """The results that one module of the reference gave."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module
        self._depth = 0
        self.results: dict[str, Any] = {}

    def as_plain(self) -> dict[str, Any]:
        """What `expected.recorded` reads."""
        classes = {name: sorted(_methods(value)) for name, value in self._own(type)}
        functions = [name for name, _ in self._own(FunctionType)]
        return {"functions": functions, "classes": classes, "results": dict(sorted(self.results.items()))}

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Keep the results of the module's functions and methods meanwhile."""
        owners = [(self._module, name, value) for name, value in self._own(FunctionType)]
        for _, kind in self._own(type):
            owners += [(kind, name, value) for name, value in _methods(kind).items()]
        for owner, name, value in owners:
            setattr(owner, name, self._listened(owner, name, value))
        try:
            yield
        finally:
            for owner, name, value in owners:
                setattr(owner, name, value)

    def _own(self, kind: type) -> list[tuple[str, Any]]:
        found = vars(self._module).items()
        return [(name, each) for name, each in found if isinstance(each, kind) and _is_own(each, self._module)]

    def _listened(self, owner: Any, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        is_method = owner is not self._module
        full_name = f"{owner.__name__}.{name}" if is_method else name

        def listened(*arguments: Any) -> Any:
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

        return listened

    def _keep(self, key: str, name: str, value: Any) -> None:
        plain = _rounded(as_plain(value))
        if self.results.setdefault(key, plain) != plain:
            raise PackagingError(f"two visible tests ask for {name} in a way that the handout cannot tell apart")


def _rounded(value: Any) -> Any:
    """With twelve digits of every number: the last ones differ from processor to processor."""
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_rounded(item) for item in value]
    return float(f"{value:.12g}") if isinstance(value, float) else value


def _methods(kind: type) -> dict[str, Callable[..., Any]]:
    return {name: value for name, value in vars(kind).items() if isinstance(value, FunctionType)}


def _is_own(value: Any, module: ModuleType) -> bool:
    return inspect.getmodule(value) is module
