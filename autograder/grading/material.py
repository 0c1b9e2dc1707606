"""Material: what workers need of one question of a submission, and what its sources say before any of it runs.

Also what stands for its functions in a worker: their names in this variant, in tracebacks too, and the grader's
versions in place of some.
"""

from __future__ import annotations

import ast
import copy
import inspect
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from functools import cached_property, lru_cache
from types import ModuleType
from typing import Any

from autograder.assignment import Question, find_owner
from autograder.grading.attempt import Asked, Attempt
from autograder.programs.calls import adapt_calls
from autograder.programs.outcome import Outcome, OutcomeKind
from autograder.programs.program import Name, Program
from autograder.results import QuestionStatus
from autograder.sandbox.host.exports import Callback, Exports, ServedClass
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.wire import Export, encode
from autograder.submission import (
    Body,
    QuestionFiles,
    SourceFile,
    find_defined_names,
    find_gap,
    find_other_definition,
    find_reachable,
    have_code,
    scan_body,
    takes_all,
)

_WORD = re.compile(r"\w+")
_MOST_ASKED = 50  # calls that are kept; a wrong value shows in some of the first
Sources = dict[str, tuple[str, str, bool]]  # module name -> path shown, text, whether it is a package


@dataclass(frozen=True)
class Material:
    """One question: the submission's files as module sources (`own`), the grader's (`support`), and the reference.

    `preload`: the library modules that the sources name, which a worker imports while it may still read files.
    """

    question: Question
    files: QuestionFiles
    own: Sources
    support: Sources
    preload: tuple[str, ...]
    reference: ModuleType
    _payloads: dict[tuple[bool, tuple[str, ...]], bytes] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    _definitions: dict[str, str] = field(default_factory=dict, init=False, repr=False, compare=False)
    _bodies: dict[str, Body | None] = field(default_factory=dict, init=False, repr=False, compare=False)

    def encode_modules(self, *, support_wins: bool, withheld: tuple[str, ...] = ()) -> bytes:
        """Return the modules as workers load them, encoded once; WireError where they are too large.

        `withheld`: the supplied functions without a body: whatever is not in a worker, no code can copy there.
        """
        key = (support_wins, withheld)
        if key not in self._payloads:
            support = {}
            for name, (path, text, is_package) in self.support.items():
                support[name] = (path, withhold(text, withheld), is_package)
            self._payloads[key] = encode((self.own, support, support_wins))
        return self._payloads[key]

    @cached_property
    def line_counts(self) -> dict[str, int]:
        """The number of lines of each file of the submission, by its path as tracebacks show it."""
        counts = {}
        for path, text, _ in self.own.values():
            counts[path] = text.count("\n") + 1
        return counts

    def find_spelling(self, name: str) -> str:
        """Return the name of a function in this variant of the question."""
        variant = self.files.variant
        if variant is None:
            return name
        return variant.names.get(name, name)

    @property
    def main_module(self) -> str:
        """The name of the question's file as a module; there is one."""
        assert self.files.main is not None  # noqa: S101  (no worker starts without it)
        return self.files.main.module

    @cached_property
    def classes(self) -> dict[str, frozenset[str]]:
        """The names of the methods of each class that the question asks for, by the name of the class."""
        return find_classes(self.reference)

    def list_others(self, functions: Iterable[str], defined: Collection[str]) -> list[SourceFile]:
        """List the other files that may define some of the functions, where the names that one defines lack them."""
        others: list[SourceFile] = []
        for name in functions:
            owner = find_owner(name)
            if owner not in defined and self.find_spelling(owner) not in defined:
                others += self.files.also.get(name, ())
        return list(dict.fromkeys(others))

    def drop_arguments(self, name: str, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the arguments that this variant of the assignment's function takes."""
        kept = []
        dropped = self._dropped_arguments.get(name, ())
        for position, argument in enumerate(arguments):
            if position not in dropped:
                kept.append(argument)
        return tuple(kept)

    def adapt(self, program: Program) -> Program:
        """Return a program that gives functions the arguments that this variant of them takes."""
        return adapt_calls(program, self.drop_arguments) if self._dropped_arguments else program

    def list_places(self, programs: Iterable[Program]) -> dict[str, list[tuple[str, str]]]:
        """List where the names of programs may be defined: modules and spellings, in their order."""
        places = {}
        for program in programs:
            for step in program.steps:
                if isinstance(step, Name):
                    places[step.name] = self._list_places_of(step.name)
        return places

    def _list_places_of(self, name: str) -> list[tuple[str, str]]:
        spelling = self.find_spelling(name)
        places = [(self.main_module, spelling), (self.main_module, name)]
        for file in self.files.also.get(name, ()):
            places.append((file.module, name))
        return places

    def list_parameters(self, name: str) -> tuple[str, ...]:
        """List the parameters of a right function that this variant has; none where there is no such function."""
        right = getattr(self.reference, name, None)
        if right is None:
            return ()
        return self.drop_arguments(name, list_parameters(right))

    @cached_property
    def _dropped_arguments(self) -> dict[str, tuple[int, ...]]:
        """By function, the positions that this variant does not have; a signature that has them all decides."""
        found = {}
        if self.files.variant is not None:
            for name, positions in self.files.variant.dropped_arguments.items():
                if not self._takes_all(name):
                    found[name] = positions
        return found

    def _takes_all(self, name: str) -> bool:
        if self.files.main is None:
            return False
        right = getattr(self.reference, name)
        return takes_all(self.files.main.text, self.find_spelling(name), list_parameters(right))

    def locate_error(self, outcome: Outcome, tested: Collection[str], refusals: Mapping[str, str]) -> Outcome:
        """Return an outcome with the place of an exception of student code, and the refusal of a test's function.

        `tested`: the functions under test. `refusals`: see `find_refusal`.
        """
        if outcome.kind is not OutcomeKind.RAISED:
            return outcome
        refusal = find_refusal(outcome.error_type, outcome.message, refusals)
        called = [frame.function for frame in outcome.frames]
        return replace(outcome, place=find_place(called, self._list_codes(tested)), refusal=refusal)

    def _list_codes(self, tested: Collection[str]) -> dict[str, str]:
        """List the names of code of the functions that are not under test, by those in this variant."""
        codes = {}
        for function in self.question.functions:
            name = function.name
            if name not in tested:
                own = get_code_name(self.find_spelling(name), self.classes)
                codes[own] = get_code_name(name, self.classes)
        return codes

    def list_substitutions(
        self, attempt: Attempt, exports: Exports, asked: list[Asked]
    ) -> Iterator[tuple[object, ...]]:
        """Yield a request for each function, method or class of an attempt that the reference's replaces.

        `asked`: gets the first calls of functions that are no methods, with what they return.
        """
        kept = []
        for function in self.question.functions:
            _, _, name = function.name.rpartition(".")
            kept.append(self.find_spelling(name))
        tested = {find_owner(name) for name in attempt.functions}
        for name in attempt.substituted:
            path, export, counts = self._export(name, exports, tested, asked)
            fields = astuple(export)
            rules = (counts, tuple(kept), attempt.runs_constructors)
            yield (messages.SUBSTITUTE, self.main_module, path, fields, *rules)

    def _export(
        self, function: str, exports: Exports, tested: Collection[str], asked: list[Asked]
    ) -> tuple[str, Export, dict[str, int]]:
        """Export what replaces a function; return its path, and the numbers of its parameters by method."""
        name, _, method = function.partition(".")
        target = getattr(self.reference, name)
        path = self.find_spelling(name)
        if not isinstance(target, type):
            callback = self._make_callback(name, target, asked)
            return path, exports.add(callback), {"": len(callback.keywords)}
        # A class that is not under test is replaced whole; of one that is under test, a method or constructor.
        if not method and name in tested:
            method = "__init__"
        methods = [method] if method else sorted(self.classes[name])
        served = ServedClass(target, tuple(target.__annotations__))
        export = exports.add_class(served, methods, is_whole=not method)
        counts = {}
        for each in methods:
            parameters = list_parameters(getattr(target, each))
            counts[each] = len(parameters)
        if method:
            path = f"{path}.{method}"
        return path, export, counts

    def _make_callback(self, name: str, target: Callable[..., Any], asked: list[Asked]) -> Callback:
        """Return a function of the reference, as a callback that takes the arguments of the student's variant."""
        parameters = list_parameters(target)
        positions = tuple(range(len(parameters)))
        taken = self.drop_arguments(name, positions)

        def call(*arguments: Any) -> Any:
            given = dict(zip(taken, arguments, strict=False))
            count = max(given, default=-1) + 1
            values = tuple(map(given.get, range(count)))
            if len(asked) >= _MOST_ASKED:
                return target(*values)
            kept = copy.deepcopy(values)
            right = target(*values)
            asked.append(Asked(name, kept, copy.deepcopy(right)))
            return right

        return Callback(call, [(parameters[position],) for position in taken])

    def list_placeholders(self, functions: Collection[str]) -> frozenset[str]:
        """Return the names that starter code leaves undefined in these functions."""
        names: set[str] = set()
        for function in self.question.functions:
            if function.name in functions:
                names.update(function.placeholders)
        return frozenset(names)

    def list_written(self, functions: Iterable[str]) -> tuple[str, ...]:
        """Return those of the functions and methods that a file of the student's defines; all where none does."""
        named = tuple(functions)
        return tuple(filter(self._is_defined, named)) or named

    def _is_defined(self, name: str) -> bool:
        """Whether a file of the student's defines a function, or the class of a method."""
        owner = find_owner(name)
        return owner in self._own_names or self.find_spelling(owner) in self._own_names

    @cached_property
    def _own_names(self) -> frozenset[str]:
        return list_defined(self.own)

    @cached_property
    def copies(self) -> tuple[str, ...]:
        """Descriptions of the student's copies of modules that the grader supplies, as `softmax in q1_softmax.py`.

        A copy from which no other file uses a function is left out, unless all are.
        """
        copies, used = [], []
        for name in sorted(self.own.keys() & self.support.keys()):
            path, *_ = self.own[name]
            functions = self._list_used_functions(name)
            copies.append(path)
            if functions:
                used.append(f"{' and '.join(functions)} in {path}")
        return tuple(used or copies)

    def _list_used_functions(self, module: str) -> list[str]:
        """List the functions of a copy that the supplied module has too, and that the student's other files name."""
        words: set[str] = set()
        for name, (_, text, _) in self.own.items():
            if name != module:
                words.update(_WORD.findall(text))
        defined = find_defined_names(self.own[module][1])
        supplied = _WORD.findall(self.support[module][1])
        return sorted(words & defined & set(supplied))

    def find_gap(self, functions: Iterable[str]) -> str:
        """Find where nothing is written in the student's text of these functions; empty where something is."""
        return find_gap([self._scan(name) for name in functions])

    def find_other_definition(self, name: str) -> str:
        """Say where the question's file defines a function that it does not define at its top level.

        It is searched once: a megabyte takes a second, and each case of a check asks.
        """
        if self.files.main is None:
            return ""
        if name not in self._definitions:
            owners = {find_owner(each.name) for each in self.question.functions}
            self._definitions[name] = find_other_definition(self.files.main.text, name, owners)
        return self._definitions[name]

    def has_code(self, functions: Iterable[str]) -> bool:
        """Whether the student's text of one of these functions is more than a start."""
        return have_code([self._scan(name) for name in functions])

    def _scan(self, name: str) -> Body | None:
        """Find the text of a function in the files, which are searched once for it."""
        if name not in self._bodies:
            owner, dot, method = name.partition(".")
            spelling = self.find_spelling(owner) + dot + method
            bodies = [scan_body(text, spelling) for _, text, _ in self.own.values()]
            self._bodies[name] = next(filter(None, bodies), None)
        return self._bodies[name]

    def describe(self, notes: Iterable[str]) -> QuestionStatus:
        """Return what a report says of the question besides its tests; `notes`: on its file, after those of reading."""
        question, main = self.question, self.files.main
        return QuestionStatus(
            question_id=self.files.question_id,
            title=question.title,
            points=question.points,
            file=main.path if main else None,
            notes=(*self.files.notes, *notes),
            keys={answer.name: answer.key for answer in question.answers},
        )

    def find_supplied(self, functions: Iterable[str]) -> tuple[str, ...]:
        """Return those of the functions that a module of the grader's contains, and so earns no points for."""
        return tuple(name for name in functions if name in self.supplied_names)

    def list_withheld(self, functions: Collection[str]) -> tuple[str, ...]:
        """List the supplied functions without a body in a worker that tests of these functions share with others.

        They are those under test, and all that the student has written too or never names: most code does not need
        them, so that one worker serves all questions. A test of code that needs one does not pass there, and is run
        alone.
        """
        withheld = []
        for name in sorted(self.supplied_names):
            if name in functions or name not in self._words or self._is_defined(name):
                withheld.append(name)
        return tuple(withheld)

    @cached_property
    def _words(self) -> frozenset[str]:
        """The words of the student's files."""
        return frozenset(_WORD.findall("\n".join(text for _, text, _ in self.own.values())))

    @cached_property
    def supplied_names(self) -> frozenset[str]:
        """The names that the grader's modules define."""
        return list_defined(self.support)


def list_defined(sources: Sources) -> frozenset[str]:
    """List the names that modules define."""
    names: set[str] = set()
    for _, text, _ in sources.values():
        names |= find_defined_names(text)
    return frozenset(names)


@lru_cache
def withhold(text: str, names: tuple[str, ...]) -> str:
    """Return the text of a supplied module with functions that refuse to be called in place of those named."""
    if not names:
        return text
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name in names:
            refusing = f"def refuse(*arguments, **keywords): {messages.REFUSE_SUPPLIED}({node.name!r})"
            (made,) = ast.parse(refusing).body
            assert isinstance(made, ast.FunctionDef)  # noqa: S101  (for the type checker)
            node.args, node.body = made.args, made.body
    return ast.unparse(tree)


def list_parameters(function: Callable[..., Any]) -> tuple[str, ...]:
    """List the names of the parameters of a function."""
    return tuple(inspect.signature(function).parameters)


def select_support(support: Sources, own: Sources) -> Sources:
    """Return the supplied modules that a student's files may import; each worker of the question receives them.

    A package is left out where the student has a single file of its name; its modules are supplied next to that file.
    """
    names = {name: name for name in support}
    texts = [text for _, text, _ in own.values()]
    flat = {name for name, (_, _, is_package) in own.items() if not is_package}
    selected = {}
    for name in find_reachable(names, texts, lambda module: support[module][1]):
        _, _, is_package = support[name]
        if not is_package or name not in flat:
            selected[name] = support[name]
    return selected


def find_classes(reference: ModuleType) -> dict[str, frozenset[str]]:
    """Return, by the name of each class of a reference, the names of its methods."""
    classes = {}
    for name, value in vars(reference).items():
        if isinstance(value, type):
            methods = (method for method, each in vars(value).items() if callable(each))
            classes[name] = frozenset(methods)
    return classes


def find_place(called: Sequence[str], places: Mapping[str, str]) -> str:
    """Return the place of an exception in the assignment's terms, which is the same however the code is written.

    It is another function of the assignment, the innermost that has one of the `places` by the name of its code, or
    empty: the function under test itself. `called`: names of code, innermost last.
    """
    for name in reversed(called):
        if name in places:
            return places[name]
    return ""


def find_refusal(error_type: str, message: str, refusals: Mapping[str, str]) -> str:
    """Return the constant of a refusal if that is the exception: a callback refuses by a ValueError, a toy by another.

    `refusals`: the constants, by the texts with which functions that the test gave refuse a call.
    """
    if error_type not in ("ValueError", "RuntimeError"):
        return ""
    return refusals.get(message, "")


def get_code_name(name: str, classes: Collection[str]) -> str:
    """Return the name that tracebacks show for a function, a method or, for the name of a class, its constructor."""
    if name in classes:
        return "__init__"
    _, _, method = name.rpartition(".")
    return method
