"""Attempt: one hidden test tried once against one submission: whose functions, which workers, how long."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import ModuleType

from autograder.assignment import Question
from autograder.grading.compiled_files import SharedCode
from autograder.grading.reproducer import reproducer
from autograder.grading.student_module import StudentModule
from autograder.sandbox import limits as limit
from autograder.sandbox.host.client import Zygote
from autograder.sandbox.preload import may_be_requested
from autograder.sandbox.protocol.layers import LayerReport
from autograder.sandbox.protocol.outcome import Outcome
from autograder.submission import QuestionFiles

Sources = dict[str, tuple[str, str, bool]]  # module name -> path shown, text, whether it is a package


@dataclass(frozen=True)
class Material:
    """What workers need of one question: the submission's files as module sources, the grader's, and the reference."""

    question: Question
    files: QuestionFiles
    own: Sources
    support: Sources
    preload: tuple[str, ...]
    reference: ModuleType


@dataclass
class Memory:
    """What earlier attempts at one submission taught.

    Modules that do not load, functions that do not end, by question the library modules that no text names and the
    functions that failed a test of their own, and the functions that pass as well where those are the grader's. By
    question, too, what a worker compiled of its files; where not `shares_code`, each worker does that for itself.
    """

    load_failures: dict[tuple[str, bool], Outcome] = field(default_factory=dict)
    endless: set[str] = field(default_factory=set)
    layers: Sequence[LayerReport] = ()
    layers_ahead: Sequence[LayerReport] = ()
    libraries: dict[str, list[str]] = field(default_factory=dict)
    failed: dict[str, set[str]] = field(default_factory=dict)
    consistent: set[tuple[str, ...]] = field(default_factory=set)
    shares_code: bool = True
    codes: dict[str, SharedCode] = field(default_factory=dict)

    def learn_library(self, stem: str, module: str) -> bool:
        """Have later workers of the question load a module first; False where that was done or may not be."""
        known = self.libraries.setdefault(stem, [])
        if module in known or len(known) >= limit.LATE_MODULES or not may_be_requested(module):
            return False
        known.append(module)
        return True


@dataclass
class Attempt:
    """One attempt at one test of `functions`; for those named in `substituted` the grader's stand in.

    `deadline` is the monotonic time at which the whole run ends, `cpu_s` the CPU seconds of each worker.
    `is_to_be_repeated`: a worker lacked a library module that the next one will have. `is_probing`: calls are no longer
    part of the test. `replies`: what the student's functions answered in it, each a value or an Outcome, in order.
    `observations`: what else the test saw of them.
    """

    zygote: Zygote
    materials: Mapping[str, Material]
    memory: Memory
    functions: tuple[str, ...]
    deadline: float
    cpu_s: int = limit.CPU_S
    substituted: tuple[str, ...] = ()
    notes: list[str] = field(default_factory=list)
    replies: list[object] = field(default_factory=list)
    observations: list[object] = field(default_factory=list)
    is_to_be_repeated: bool = False
    is_probing: bool = False
    _modules: dict[str, StudentModule] = field(default_factory=dict)
    _printed_before_probing: bytes = b""

    @property
    def printed(self) -> bytes:
        """What the student's code printed in this attempt, until it failed."""
        if self.is_probing:
            return self._printed_before_probing
        return b"".join(module.printed for module in self._modules.values())

    def begin_probing(self) -> bool:
        """Keep what is called from here on out of what the test showed; True, since a student reads what is found."""
        if not self.is_probing:
            self._printed_before_probing = self.printed
            self.is_probing = True
        return True

    def reproducer(self, remarks: Sequence[str]) -> str:
        """Lines that make the last call of the test again; empty where there are none, as for answers in a file."""
        if len(self._modules) != 1 or any(self.materials[stem].question.answers for stem in self._modules):
            return ""
        (module,) = self._modules.values()
        return reproducer(module.asked, module.spellings, remarks)

    def module(self, stem: str) -> StudentModule:
        """The student's module of a question, in a worker of this attempt."""
        if stem not in self._modules:
            self._modules[stem] = StudentModule(self, self.materials[stem])
        return self._modules[stem]

    def close(self) -> None:
        """End the workers; all of them, also where one cannot be ended."""
        with contextlib.ExitStack() as ending:
            for module in self._modules.values():
                ending.callback(module.close)
