"""Material: what workers need of one question of a submission, and what its sources say before any of it runs.

Also what stands for its functions in a worker: their names in this variant, in tracebacks too, and the grader's
versions in place of some.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from functools import cached_property
from types import ModuleType
from typing import Any

from autograder.assignment import Question, find_owner
from autograder.programs.calls import adapt_calls
from autograder.programs.outcome import Outcome, OutcomeKind
from autograder.programs.program import Name, Program
from autograder.results import QuestionStatus
from autograder.sandbox.host.callbacks import Callback, ServedClass
from autograder.sandbox.host.exports import Exports
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.encoder import encode
from autograder.submission import (
    QuestionFiles,
    SourceFile,
    count_parameters,
    find_defined_names,
    find_reachable,
)

_WORD = re.compile(r"\w+")
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
    _payloads: dict[bool, bytes] = field(default_factory=dict, init=False, repr=False, compare=False)

    def encode_modules(self, *, support_wins: bool) -> bytes:
        """Return the modules as workers load them, encoded once; WireError where they are too large."""
        if support_wins not in self._payloads:
            self._payloads[support_wins] = encode((self.own, self.support, support_wins))
        return self._payloads[support_wins]

    @property
    def line_counts(self) -> dict[str, int]:
        """The number of lines of each file of the submission, by its path as tracebacks show it."""
        return {path: text.count("\n") + 1 for path, text, _ in self.own.values()}

    def find_spelling(self, name: str) -> str:
        """Return the name of a function in this variant of the question."""
        variant = self.files.variant
        return variant.names.get(name, name) if variant else name

    @cached_property
    def classes(self) -> dict[str, frozenset[str]]:
        """The names of the methods of each class that the question asks for, by the name of the class."""
        return find_classes(self.reference)

    def list_others(self, functions: Iterable[str], defined: Collection[str]) -> list[SourceFile]:
        """List the other files that may define some of the functions, where the names that one defines lack them."""
        owners = {name: find_owner(name) for name in functions}
        missing = [name for name, each in owners.items() if not {self.find_spelling(each), each} & {*defined}]
        return list(dict.fromkeys(file for name in missing for file in self.files.also.get(name, ())))

    def drop_arguments(self, name: str, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the arguments that this variant of the assignment's function takes."""
        dropped = self._dropped_arguments.get(name, ())
        return tuple(argument for position, argument in enumerate(arguments) if position not in dropped)

    def adapt(self, program: Program) -> Program:
        """Return a program that gives functions the arguments that this variant of them takes."""
        return adapt_calls(program, self.drop_arguments) if self._dropped_arguments else program

    def list_places(self, programs: Iterable[Program]) -> dict[str, tuple[tuple[str, str], ...]]:
        """List where the names of programs may be defined: modules and spellings, in their order."""
        main = self.files.main
        assert main is not None  # noqa: S101  (it was imported)
        names = {step.name for program in programs for step in program.steps if isinstance(step, Name)}
        return {
            name: (
                (main.module, self.find_spelling(name)),
                (main.module, name),
                *((each.module, name) for each in self.files.also.get(name, ())),
            )
            for name in sorted(names)
        }

    def list_parameters(self, name: str) -> tuple[str, ...]:
        """List the parameters of a right function that this variant has; none where there is no such function."""
        right = getattr(self.reference, name, None)
        return () if right is None else self.drop_arguments(name, tuple(inspect.signature(right).parameters))

    @cached_property
    def _dropped_arguments(self) -> dict[str, tuple[int, ...]]:
        """By function, the positions that this variant does not have; a signature that has them all decides."""
        dropped = self.files.variant.dropped_arguments if self.files.variant else {}
        return {name: positions for name, positions in dropped.items() if not self._takes_all(name)}

    def _takes_all(self, name: str) -> bool:
        text = self.files.main.text if self.files.main is not None else ""
        count = count_parameters(text, self.find_spelling(name))
        return count is not None and count >= len(inspect.signature(getattr(self.reference, name)).parameters)

    def locate_error(self, outcome: Outcome, tested: Collection[str], refusal: str) -> Outcome:
        """Return an outcome with the place of an exception of student code, and the refusal of a test's function.

        `tested`: the functions under test. `refusal`: the constant with which one that the test gave refused a call.
        """
        if outcome.kind is not OutcomeKind.RAISED:
            return outcome
        names = [each.name for each in self.question.functions if each.name not in tested]
        codes = {name: get_code_name(name, self.classes) for name in names}
        places = {get_code_name(self.find_spelling(name), self.classes): code for name, code in codes.items()}
        place = find_place([frame.function for frame in outcome.frames], places)
        return replace(outcome, place=place, refusal=refusal)

    def list_substitutions(
        self, substituted: Iterable[str], exports: Exports, *, tested: Iterable[str], runs_constructors: bool
    ) -> Iterator[tuple[object, ...]]:
        """Yield a request for each function, method or class that the reference's is put in the place of.

        `tested`, `runs_constructors`: see `Attempt`.
        """
        kept = tuple(self.find_spelling(each.name.rpartition(".")[2]) for each in self.question.functions)
        owners = {find_owner(name) for name in tested}
        for function in substituted:
            name, _, method = function.partition(".")
            target = getattr(self.reference, name)
            path = self.find_spelling(name)
            if not isinstance(target, type):
                callback = self._make_callback(name, target)
                export, counts = exports.add(callback), {"": len(callback.keywords)}
            else:
                # A class that is not under test is replaced whole; of one that is under test, a method or constructor.
                method = method or ("__init__" if name in owners else "")
                methods = [method] if method else sorted(self.classes[name])
                served = ServedClass(target, tuple(target.__annotations__))
                export = exports.add_class(served, methods, is_whole=not method)
                counts = {each: len(inspect.signature(getattr(target, each)).parameters) for each in methods}
                path = f"{path}.{method}" if method else path
            assert self.files.main is not None  # noqa: S101  (the file was imported)
            yield (messages.SUBSTITUTE, self.files.main.module, path, astuple(export), counts, kept, runs_constructors)

    def _make_callback(self, name: str, target: Callable[..., Any]) -> Callback:
        """Return a function of the reference, as a callback that takes the arguments of the student's variant."""
        parameters = tuple(inspect.signature(target).parameters)
        taken = self.drop_arguments(name, tuple(range(len(parameters))))

        def call(*arguments: Any) -> Any:
            given = dict(zip(taken, arguments, strict=False))
            return target(*(given.get(position) for position in range(max(given, default=-1) + 1)))

        return Callback(call, [(parameters[position],) for position in taken])

    def list_placeholders(self, functions: Collection[str]) -> frozenset[str]:
        """Return the names that starter code leaves undefined in these functions."""
        taken = (each for each in self.question.functions if each.name in functions)
        return frozenset(name for each in taken for name in each.placeholders)

    def list_written(self, functions: Iterable[str]) -> tuple[str, ...]:
        """Return those of the functions and methods that a file of the student's defines; all where none does."""
        named = tuple(functions)
        defined = {name for _, text, _ in self.own.values() for name in find_defined_names(text)}
        owners = {name: find_owner(name) for name in named}
        written = [name for name, each in owners.items() if not defined.isdisjoint({each, self.find_spelling(each)})]
        return tuple(written) or named

    @cached_property
    def copies(self) -> tuple[str, ...]:
        """Descriptions of the student's copies of modules that the grader supplies, as `softmax in q1_softmax.py`.

        A copy from which no other file uses a function is left out, unless all are.
        """
        copies = sorted(self.own.keys() & self.support.keys())
        used = {name: self._list_used_functions(name) for name in copies}
        named = [f"{' and '.join(used[name])} in {self.own[name][0]}" for name in copies if used[name]]
        return tuple(named or (self.own[name][0] for name in copies))

    def _list_used_functions(self, module: str) -> list[str]:
        """List the functions of a copy that the supplied module has too, and that the student's other files name."""
        functions = find_defined_names(self.own[module][1]) & set(_WORD.findall(self.support[module][1]))
        words = {word for name, (_, text, _) in self.own.items() if name != module for word in _WORD.findall(text)}
        return sorted(functions & words)

    def describe(self, notes: Iterable[str]) -> QuestionStatus:
        """Return what a report says of the question beside its tests; `notes`: on its file, after those of reading."""
        return QuestionStatus(
            stem=self.files.stem,
            title=self.question.title,
            points=self.question.points,
            file=self.files.main.path if self.files.main else None,
            notes=(*self.files.notes, *notes),
            keys={answer.name: answer.key for answer in self.question.answers},
        )

    def find_supplied(self, functions: Iterable[str]) -> tuple[str, ...]:
        """Return those of the functions that a module of the grader's contains, and so earns no points for."""
        return tuple(name for name in functions if name in self._supplied_names)

    @cached_property
    def _supplied_names(self) -> frozenset[str]:
        return frozenset(name for _, text, _ in self.support.values() for name in find_defined_names(text))


def select_support(support: Sources, own: Sources) -> Sources:
    """Return the supplied modules that a student's files may import; each worker of the question receives them.

    A package is left out where the student has a single file of its name; its modules are supplied beside that file.
    """
    names = {name: name for name in support}
    reachable = find_reachable(names, [text for _, text, _ in own.values()], lambda name: support[name][1])
    flat = {name for name, (_, _, is_package) in own.items() if not is_package}
    return {name: support[name] for name in reachable if not (support[name][2] and name in flat)}


def find_classes(reference: ModuleType) -> dict[str, frozenset[str]]:
    """Return, by the name of each class of a reference, the names of its methods."""
    classes = {name: value for name, value in vars(reference).items() if isinstance(value, type)}
    return {
        name: frozenset(method for method, value in vars(each).items() if callable(value))
        for name, each in classes.items()
    }


def find_place(called: Sequence[str], places: Mapping[str, str]) -> str:
    """Return the place of an exception in the assignment's terms, which is the same however the code is written.

    It is another function of the assignment, the innermost that has one of the `places` by the name of its code, or
    empty: the function under test itself. `called`: names of code, innermost last.
    """
    return next((places[name] for name in reversed(called) if name in places), "")


def find_refusal(error_type: str, message: str, refusals: Mapping[str, str]) -> str:
    """Return the constant of a refusal if that is the exception; refusals reach student code as a ValueError."""
    return refusals.get(message, "") if error_type == "ValueError" else ""


def get_code_name(name: str, classes: Collection[str]) -> str:
    """Return the name that tracebacks show for a function, a method or, for the name of a class, its constructor."""
    return "__init__" if name in classes else name.rpartition(".")[2]
