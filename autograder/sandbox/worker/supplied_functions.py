"""Supplied functions: takes the bodies out of functions that the grader supplies, and records who calls them then.

Run in the worker beside student code, so trusted by nobody. A function of a supplied module may be used everywhere but
in the tests of the function that it contains, whoever wraps it. There, once the student's files are loaded, its code is
replaced in the function itself: an alias, a partial or a wrapper refers to the same function. The record of a call is
kept apart from the exception, which student code may catch.
"""

from __future__ import annotations

from collections.abc import Collection
from types import CodeType, FunctionType, ModuleType
from typing import NoReturn

_HOOK = "_refuse_supplied_function"
_TEXT = "def {name}(*arguments, **keywords):\n    {hook}({name!r})\n"


class SuppliedFunctions:
    """The functions of the supplied modules that were loaded. `called`: those called after their bodies were taken."""

    def __init__(self) -> None:
        self._functions: list[tuple[str, FunctionType]] = []
        self._withheld: frozenset[str] = frozenset()
        self.called: list[str] = []

    def add_module(self, module: ModuleType) -> None:
        """Remember the functions of a module that was just loaded, under the names that its text gives them."""
        for value in list(vars(module).values()):
            if isinstance(value, FunctionType) and value.__globals__ is vars(module):
                self._functions.append((value.__name__, value))
                self._take_body(value.__name__, value)

    def withhold(self, names: Collection[str]) -> None:
        """Have the functions of these names refuse from now on, also those of modules that are loaded later."""
        self._withheld = frozenset(names)
        for name, function in self._functions:
            self._take_body(name, function)

    def _take_body(self, name: str, function: FunctionType) -> None:
        if name in self._withheld:
            function.__globals__[_HOOK] = self._refuse
            function.__code__ = _compile_refusal(name, function.__code__.co_filename)

    def _refuse(self, name: str) -> NoReturn:
        self.called.append(name)
        raise NotImplementedError(f"{name} is supplied by the grader; write it yourself")


def _compile_refusal(name: str, path: str) -> CodeType:
    module = compile(_TEXT.format(name=name, hook=_HOOK), path, "exec")
    return next(constant for constant in module.co_consts if isinstance(constant, CodeType))
