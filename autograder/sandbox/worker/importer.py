"""Importer: turns source texts in memory into Python modules for the worker's `import` statement.

Run in the worker after it has lost its rights. Trusts no code that it executes; tampering with this importer harms only
the code's own worker. A submission's folder is never on `sys.path`: its files, then the grader's support modules, are
found by name here, and none of them can replace a module of the standard library or numpy. A module that is not found
is looked for by the end of its path, because students name folders above their own; else it becomes a stub that fails
when it is first used, so that an unused import costs no points; inside `try ... except ImportError` it stays missing,
as the code expects. A stub of a drawing library may be used, and draws nothing. Code for Python 2 and 3 finds the names
of Python 3 in `past`, `six` and `future`, or functions that return lists where Python 2's did: many solutions import
xrange. The packages are not installed.
"""

from __future__ import annotations

import functools
import importlib
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec, spec_from_loader
from types import CodeType, FrameType, ModuleType
from typing import Any, NoReturn
from warnings import catch_warnings

from autograder.sandbox import limits as limit
from autograder.sandbox.module_code import LeftOut, Source, Statement, compile_module, compile_statements
from autograder.sandbox.protocol.messages import REFUSE_SUPPLIED

# Modules that open windows or browsers when imported, or that servers lack; often imported by accident in an editor.
_NEVER_LOADED = frozenset({"antigravity", "idlelib", "test", "this", "tkinter", "turtle", "turtledemo"})
_DRAWING = frozenset({"matplotlib", "pylab", "seaborn"})
_SAME: Mapping[str, object] = {
    "basestring": str,
    "intern": sys.intern,
    "long": int,
    "raw_input": input,
    "reduce": functools.reduce,
    "unichr": chr,
    "unicode": str,
    "xrange": range,
}
_ITERATORS = {each.__name__: each for each in (filter, input, map, range, zip)}


class StudentModules(Loader):
    """Finder and loader of one worker's modules: first on the meta path for known names, last for missing modules."""

    def __init__(self, own: Mapping[str, Source], support: Mapping[str, Source], *, support_wins: bool) -> None:
        self._sources = {**own, **support} if support_wins else {**support, **own}
        self._support = support
        self._supplied = {*support} if support_wins else support.keys() - own.keys()
        self._compiled: dict[str, tuple[CodeType, frozenset[int]]] = {}
        self._guarded: dict[str, frozenset[int]] = {}
        self._first_names = _find_first_names(own)
        self._module: ModuleType | None = None  # that is loaded statement by statement
        self._statements: list[Statement] = []
        self._left_out: list[LeftOut] = []
        self.paths = {source.path for source in own.values()}
        self.called: list[str] = []  # the functions without a body that were called since the files were loaded

    def forget_imports(self) -> None:
        """Forget what imports left here, so that the modules can be imported afresh; what was compiled stays."""
        self._guarded.clear()
        self._module = None
        self.called.clear()

    def install(self) -> None:
        """Put this finder before and after the interpreter's own finders, unless it is there."""
        if self in sys.meta_path:
            return
        sys.meta_path.insert(0, self)
        sys.meta_path.append(_LastResort(self))

    def compile_all(self) -> None:
        """Compile the modules, and run none."""
        for name in self._sources:
            self.compile_one(name)

    def compile_one(self, name: str) -> None:
        """Compile a module; one with errors or warnings is left to its import, which shows them."""
        with catch_warnings(record=True) as shown, suppress(SyntaxError, ValueError, RecursionError, MemoryError):
            self._compile(name)
        if shown:
            self._compiled.pop(name, None)

    def begin_statements(self, name: str) -> list[int]:
        """Make a module of which no statement has run, and return the line of each; its helpers load like it.

        None is left to run of a module that another one imported.
        """
        if name in sys.modules:
            return []
        spec = self.find_spec(name)
        if spec is None:
            raise ModuleNotFoundError(f"{name} is no file of the submission", name=name)
        module = module_from_spec(spec)
        self._statements = self._compile_statements(module)
        sys.modules[name] = self._module = module
        return [each.line for each in self._statements]

    def run_statement(self, index: int) -> list[LeftOut]:
        """Run one statement of that module, and return the statements that were left out because they failed."""
        assert self._module is not None  # noqa: S101  (the grader asks for the statements first)
        self._left_out = []
        self._left_out += self._statements[index].run(self._module)
        return self._left_out

    def is_support(self, name: str) -> bool:
        """Return whether the grader, not the student, supplied the module."""
        return name in self._supplied

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Return the spec of a module held here; None for the standard library, numpy and all others."""
        top, _, _ = name.partition(".")
        is_standard = top in sys.stdlib_module_names or top == "numpy"
        is_own = not is_standard and (top in self._sources or self._is_package(top))  # such as test.py
        if top in _NEVER_LOADED and not is_own:
            return make_missing_spec(name)
        if is_standard:
            return None
        is_package = self._is_package(name)
        if name in self._first_names:
            loader = _AliasLoader(self._first_names[name])
            return spec_from_loader(name, loader, is_package=is_package)
        if name in self._sources:
            return spec_from_loader(name, self, origin=self._sources[name].path, is_package=is_package)
        return spec_from_loader(name, self, is_package=True) if is_package else None

    def exec_module(self, module: ModuleType) -> None:
        """Compile and run the source; statement by statement once the question's file is loaded like that."""
        name = module.__name__
        if name not in self._sources:  # a package without a file of its own
            return
        code = self._compile_or_replace(name)
        module.__file__ = self._sources[name].path
        if self.is_support(name):
            module.__dict__.update({REFUSE_SUPPLIED: self._refuse, "__getattr__": make_missing_lookup(name)})
        elif self._module is not None:
            for statement in self._compile_statements(module):
                self._left_out += statement.run(module)
            del self._left_out[limit.LEFT_OUT :]
            return
        exec(code, module.__dict__)  # noqa: S102  (running the student's code is the worker's purpose)

    def find_by_tail(self, name: str) -> str | None:
        """Find the module that a longer path leads to, as `utils.utils` for `a2.utils.utils`; None if there is none."""
        parts = name.split(".")
        for start in range(1, len(parts)):
            tail = ".".join(parts[start:])
            is_held = tail in self._sources or self._is_package(tail)
            if is_held and parts[start] not in sys.stdlib_module_names:
                return tail
        return None

    def is_guarded(self, frame: FrameType) -> bool | None:
        """Return whether the line is inside a `try` that expects ImportError; None for a frame of other code."""
        lines = self._guarded.get(frame.f_code.co_filename)
        return None if lines is None else frame.f_lineno in lines

    def _refuse(self, name: str) -> NoReturn:
        """Refuse a call, and record it apart from the exception, which student code may catch."""
        self.called.append(name)
        raise NotImplementedError(f"{name} is supplied by the grader; write it yourself")

    def _compile_or_replace(self, name: str) -> CodeType:
        """Compile a module; if a student's copy of a support module does not compile, the grader's takes its place."""
        try:
            return self._compile(name)
        except SyntaxError:
            if name not in self._support:
                raise
            self._sources[name] = self._support[name]
            self._supplied.add(name)
            return self._compile(name)

    def _compile(self, name: str) -> CodeType:
        source = self._sources[name]
        if name not in self._compiled:
            self._compiled[name] = compile_module(name, source)
        code, self._guarded[source.path] = self._compiled[name]
        return code

    def _compile_statements(self, module: ModuleType) -> list[Statement]:
        source = self._sources[module.__name__]
        module.__file__ = source.path
        statements, self._guarded[source.path] = compile_statements(module.__name__, source)
        return statements

    def _is_package(self, name: str) -> bool:
        """Return whether modules may be below this one, as next to a flat file where the grader supplies a package."""
        held = self._sources.get(name)
        if held is not None and held.is_package:
            return True
        return any(other.startswith(f"{name}.") for other in self._sources)


class _LastResort:
    """Last finder: handles missing modules that student code imports outside of a guarded `try`."""

    def __init__(self, modules: StudentModules) -> None:
        self._modules = modules

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Return the spec of a stub if student code imports the module outside of a guarded `try`."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and "importlib" in frame.f_code.co_filename:
            frame = frame.f_back
        if frame is None or self._modules.is_guarded(frame) is not False:
            return None
        held = self._modules.find_by_tail(name)
        if held is not None:
            return spec_from_loader(name, _AliasLoader(held), is_package=True)
        return make_missing_spec(name)


class _AliasLoader(Loader):
    """Gives a module a second name."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._spec: ModuleSpec | None = None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Import the module under its own name."""
        module = importlib.import_module(self._name)
        self._spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Run nothing; give the module back the spec of its own name."""
        module.__spec__ = self._spec


def _find_first_names(own: Mapping[str, Source]) -> dict[str, str]:
    """Find the modules whose file has a shorter name too, by which it is imported once."""
    shortest: dict[str, str] = {}
    for name in sorted(own, key=lambda each: (each.count("."), each)):
        shortest.setdefault(own[name].path, name)
    first_names = {name: shortest[source.path] for name, source in own.items()}
    return {name: first for name, first in first_names.items() if first != name}


class MissingName:
    """Stub for a name of a module that the grader does not have; using it raises an error that says so."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        return MissingName(f"{self._name}.{attribute}")

    def __call__(self, *arguments: object, **keywords: object) -> Any:
        """Raise ModuleNotFoundError: the module is not available."""
        raise ModuleNotFoundError(
            f"{self._name} is neither in your submission nor in the grader, and your code uses it"
        )

    def __mro_entries__(self, bases: tuple[object, ...]) -> tuple[type, ...]:
        """Omit the stub from base classes, so that a class without objects costs no points."""
        return ()

    def __instancecheck__(self, instance: object) -> bool:
        """Say no: where the module is missing, nothing is of its types."""
        return False

    __subclasscheck__ = __instancecheck__

    def __or__(self, other: object) -> Any:
        """Return the stub, as for `float | Tensor` in an annotation."""
        return self

    __ror__ = __or__

    def __iter__(self) -> Any:
        return self()

    def _use(self, *operands: object) -> Any:
        return self()

    __array__ = __index__ = __int__ = __float__ = __neg__ = __lt__ = __le__ = __gt__ = __ge__ = _use
    __add__ = __sub__ = __mul__ = __truediv__ = __floordiv__ = __mod__ = __pow__ = __matmul__ = _use
    __radd__ = __rsub__ = __rmul__ = __rtruediv__ = __rpow__ = __rmatmul__ = _use

    def __getitem__(self, key: object) -> Any:
        """Return the stub, as for `Float[Array, "n d"]` in an annotation."""
        return self


class Drawing(MissingName):
    """Stub for a name of a drawing library: using it does nothing, since no value depends on a picture."""

    def __getattr__(self, attribute: str) -> Any:
        return Drawing(super().__getattr__(attribute)._name)

    def __call__(self, *arguments: object, **keywords: object) -> Any:
        """Draw nothing."""
        return self

    def __iter__(self) -> Any:
        return iter((self, self))  # figure, axes = plt.subplots()

    def __setitem__(self, key: object, value: object) -> None:
        """Ignore the setting."""


def _return_list(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *arguments: list(function(*arguments))


def _divide(numerator: Any, denominator: Any) -> Any:
    """Divide as Python 2 does: two integers to an integer."""
    are_whole = isinstance(numerator, int) and isinstance(denominator, int)
    return numerator // denominator if are_whole else numerator / denominator


_LISTS = {name: _return_list(_ITERATORS[name]) for name in ("filter", "map", "range", "zip")}
_NAMES_BY_MODULE: Mapping[str, Mapping[str, object]] = {
    "past.builtins": {**_SAME, **_LISTS},
    "past.utils": {"old_div": _divide},
    "six.moves": {**_SAME, **_ITERATORS},
    "future.builtins": _ITERATORS,
}


class _MissingLoader(Loader):
    """Loads stubs: modules in which every name is a `MissingName`."""

    def exec_module(self, module: ModuleType) -> None:
        """Give the module a stub for every name that is not known."""
        module.__dict__.update(_NAMES_BY_MODULE.get(module.__name__, {}), __all__=[])
        module.__dict__["__getattr__"] = make_missing_lookup(module.__name__)


def make_missing_spec(name: str) -> ModuleSpec | None:
    """Return the spec of a module in which every name that is not known is a stub."""
    return spec_from_loader(name, _MissingLoader(), is_package=True)


def make_missing_lookup(module_name: str) -> Callable[[str], MissingName]:
    """Return the `__getattr__` of a module, which gives a stub for every name that the module lacks."""

    def look_up_missing(name: str) -> MissingName:
        if name.startswith("__"):
            raise AttributeError(name)
        kind = Drawing if module_name.partition(".")[0] in _DRAWING else MissingName
        return kind(f"{module_name}.{name}")

    return look_up_missing
