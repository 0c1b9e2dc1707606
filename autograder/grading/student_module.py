"""Student module: finds the functions of one question's file, under any spelling, and requests their values."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, NoReturn

from autograder.assignment import find_owner
from autograder.grading.attempt import Asked, Attempt, Reason, Transcript
from autograder.grading.material import Material
from autograder.grading.memory import WorkerMemory
from autograder.programs.calls import answer_calls
from autograder.programs.lines import Spelling
from autograder.programs.outcome import CallFailed, Outcome, OutcomeKind
from autograder.programs.plain_values import Handle
from autograder.programs.program import Program
from autograder.programs.recipes import list_refusals
from autograder.sandbox import limits as limit
from autograder.sandbox.host import replies
from autograder.sandbox.host.client import SandboxError, Worker, Zygote, determine_outcome_of_end
from autograder.sandbox.host.connection import Ended
from autograder.sandbox.limits import Limits
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.trusted_form import pack_records
from autograder.sandbox.protocol.wire import TooLarge, WireError
from autograder.student import QuestionModule
from autograder.submission import SourceFile


class LentWorker(NamedTuple):
    """A worker that other checks had before, and will have. `names`: those that the question's file defines."""

    worker: Worker
    names: frozenset[str]


class StudentModule(QuestionModule):
    """One question of a submission, in a worker that starts at the first request.

    Once the worker has ended, every request fails with the same outcome. `again`: why another worker is needed: this
    one lacked a library module, which the next one will have.
    """

    def __init__(
        self,
        material: Material,
        *,
        attempt: Attempt,
        zygote: Zygote,
        memory: WorkerMemory,
        transcript: Transcript,
        limits: Limits,
        lent: LentWorker | None = None,
    ) -> None:
        super().__init__(material.classes)
        self._material = material
        self._attempt = attempt
        self._zygote = zygote
        self._limits = limits
        self._clock = limit.choose_clock(attempt.need, limits)
        self._memory = memory
        self._transcript = transcript
        self._main = material.files.main
        self._worker: Worker | None = None
        self._workers: list[Worker] = []  # this one, and those that it replaced
        self.ends: list[Outcome] = []  # of the workers that programs ended
        self._loaded_by = 0.0
        self._functions: dict[str, Handle] = {}
        self._names: frozenset[str] = frozenset()
        self._wanted: frozenset[str] = frozenset()  # the names of the programs that were sent
        self._failure: Outcome | None = None
        self._broken: Outcome | None = None  # how the question's file failed, if another may be loaded
        self.asked: list[Asked] = []  # of the functions that the attempt replaced
        self._withheld = material.find_supplied(attempt.functions)
        self._load = memory.loads[material.question.question_id, attempt.supplied_wins, self._withheld]
        self._placeholders = material.list_placeholders(attempt.functions)
        self._is_loaded = False
        self._is_asked = False  # whether the worker has programs
        self._answered: set[str] = set()  # of the functions that the attempt replaced, those that programs call
        self.again: Reason | None = None
        self._is_lent = lent is not None
        if lent is not None:
            self._clock = limit.choose_first_clock(attempt.need)
            self._worker = lent.worker
            self._workers.append(lent.worker)
            self._names = lent.names
            self._is_loaded = True
            lent.worker.connection.exports.limit_callbacks(limit.limit_callbacks(attempt.need))

    @property
    def printed(self) -> bytes:
        """The output of the workers so far."""
        return b"".join(each.connection.printed for each in self._workers)

    def request(self, kind: str, *arguments: object) -> Any:
        """Return the value of a request; CallFailed where there is none."""
        worker = self._get_worker()
        exports = worker.connection.exports
        if self._transcript.is_probing:  # such calls explain a failure, and the right solution makes none
            exports.limit_callbacks(limit.UNKNOWN_NEED)
        try:
            reply = self._exchange(worker, (kind, *arguments))
        except CallFailed as error:
            error.outcome = self._locate(error.outcome, exports.refusals)
            self._record(error.outcome)
            raise
        self._record(reply)
        return reply

    def run(self, programs: Sequence[Program], groups: Sequence[str] = ()) -> list[list[Any]]:
        """Return the reply to each program; CallFailed where the sandbox or the load of the file failed.

        A program that ended its worker has that end in each part, and so have the programs of its group that were
        not run yet. A fresh worker takes the programs of other groups, until too many workers have ended. Endless code
        takes its whole time in each worker: what does not end in the first case is asked no more.
        """
        pairs = list(zip(programs, groups or [""] * len(programs), strict=True))
        ends: dict[str, Outcome] = {}  # of workers, by the group of the program that ended one
        last: Outcome | None = None  # the end after which nothing is asked
        replies = []
        self._is_asked = False
        for number, (program, group) in enumerate(pairs):
            end = ends.get(group) or last
            if end is not None:
                reply = [replace(end, is_unasked=True)] * len(program.returned)
            else:
                left = (each for each, other in pairs[number:] if other not in ends)
                reply, end = self._ask(program, left)
            if end is not None:
                ends.setdefault(group, end)
                is_endless = number == 0 and end.kind is OutcomeKind.TIMED_OUT
                last = end if is_endless or len(ends) == limit.ENDING_PROGRAMS else last
            replies.append(reply)
            self._transcript.keep(reply)
        self._failure = next(iter(ends.values()), None)
        return replies

    def _ask(self, program: Program, left: Iterable[Program]) -> tuple[list[Any], Outcome | None]:
        """Return the reply to a program, and how it ended its worker, if it did.

        `left`: it and the others that a worker is sent which has none.
        """
        if self.ends and not self._is_asked and time.monotonic() >= self._attempt.deadline:
            raise CallFailed(self.ends[0])
        worker = self._get_worker()
        try:
            if not self._is_asked:
                self._send_programs(worker, list(left))
            return self._receive_reply(worker, program), None
        except Ended as ended:
            end = self._determine_outcome(ended, worker)
        if not end.ends_worker:
            self._stop(end)
        if not self._transcript.is_probing:
            self.ends.append(end)
        self._worker, self._functions = None, {}
        self._is_loaded = self._is_asked = False
        return [end] * len(program.returned), end

    def _send_programs(self, worker: Worker, programs: Sequence[Program]) -> None:
        adapted = [self._material.adapt(self._answer_calls(each)) for each in programs]
        places = self._material.list_places(programs)
        self._wanted = frozenset(places)
        worker.connection.exports.give_toys(adapted)
        request = (messages.PROGRAMS, places, pack_records(adapted))
        worker.connection.send(request, replies=len(adapted), deadline=self._due)
        self._is_asked = True

    def _answer_calls(self, program: Program) -> Program:
        """Return a program with the replies of functions that the attempt replaced, where a worker cannot ask them."""
        find = partial(getattr, self._material.reference)
        program, answered = answer_calls(program, self._attempt.substituted, find)
        self._answered.update(answered)
        return program

    def _receive_reply(self, worker: Worker, program: Program) -> list[Any]:
        """Receive the reply to one program; Ended if there is none."""
        message = worker.connection.receive(deadline=self._due, last=self._last)
        try:
            parts = self._read_message(message)
            most_bytes = self._transcript.limit_bytes
            reply = replies.read_parts(parts, len(program.returned), self._read_ending, most_bytes=most_bytes)
        except TooLarge:
            self._stop(replies.refuse_large_replies(self._transcript.limit_bytes))
        except CallFailed as failed:
            if self._failure is not None:  # a library is missing: the next attempt has it
                raise
            reply = [failed.outcome] * len(program.returned)
        for number, part in enumerate(reply):
            if isinstance(part, Outcome):
                refusals = list_refusals(program) if part.error_type == "RuntimeError" else {}
                reply[number] = self._locate(part, refusals)
        self._count(reply)
        return reply

    def _locate(self, outcome: Outcome, refusals: Mapping[str, str]) -> Outcome:
        located = self._material.locate_error(outcome, self._attempt.functions, refusals)
        return self._memory.hide_error(located)

    def _read_ending(self, message: Any) -> Outcome:
        """Read how a part of a reply failed."""
        if messages.is_message(message, messages.MISSING, str) and message[1] in self._wanted:
            return self._describe_missing(message[1])
        return self._read_failure(message)

    def _record(self, reply: object) -> None:
        self._count(reply)
        self._transcript.keep(reply)

    def _count(self, reply: object) -> None:
        self._transcript.count(reply)
        if self._transcript.is_over_limit:
            self._stop(replies.refuse_large_replies(self._transcript.limit_bytes))

    def function(self, name: str) -> Handle:
        """Return the handle of a function or class under any accepted name; CallFailed where it is not written."""
        worker = self._get_worker()
        if name not in self._functions:
            self._functions[name] = self._find(worker, name)
        return self._functions[name]

    def spell(self, name: str) -> Spelling:
        """Return where a function or class is defined, under any accepted name; CallFailed where it is not written."""
        worker = self._get_worker()
        parameters = self._material.list_parameters(name)
        for spelling in (self._material.find_spelling(name), name):
            if spelling in self._names:
                return Spelling(self._material.main_module, spelling, parameters)
        for source in self._material.files.also.get(name, ()):
            if name in self._import(worker, source.module):
                return Spelling(source.module, name, parameters)
        raise CallFailed(self._describe_missing(name))

    @property
    def used(self) -> tuple[str, ...]:
        """The functions that the attempt replaced, as far as student code or a program called them."""
        called: set[object] = set(self._answered)
        for worker in self._workers:
            called |= worker.connection.exports.called
        replaced = enumerate(self._attempt.substituted)
        return tuple(name for number, name in replaced if number in called or name in called)

    def drop_arguments(self, name: str, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the arguments that this variant of the assignment's function takes."""
        return self._material.drop_arguments(name, arguments)

    def end_as_garbled(self, detail: str) -> NoReturn:
        """Make this and every later request fail: the worker sent a message that its own code never sends."""
        self._stop(Outcome(OutcomeKind.GARBLED, detail=detail))

    def close(self) -> None:
        """End the worker, if it is this module's own, or no longer answers."""
        is_finished = self._failure is not None or not self._is_lent
        if self._worker is not None and is_finished:
            self._worker.close()

    def _get_worker(self) -> Worker:
        if self._failure is not None:
            raise CallFailed(self._failure)
        if self._worker is None:
            self._worker = self._start()
            while not self._load_files(self._worker):
                self._worker.close()
                self._worker = self._start()
            self._workers.append(self._worker)
        return self._worker

    @property
    def _late_libraries(self) -> list[str]:
        return self._memory.libraries.get(self._question_id, [])

    @property
    def _question_id(self) -> str:
        return self._material.question.question_id

    def _start(self) -> Worker:
        if self._main is None:
            looked_for = ", ".join(self._material.question.files)
            self._stop(Outcome(OutcomeKind.NOT_WRITTEN, detail=f"no file of this question was found ({looked_for})"))
        if self._load.failure is not None and not self._list_others(frozenset()):
            self._stop(self._load.failure)
        try:
            supplied_wins = self._attempt.supplied_wins
            modules = self._material.encode_modules(support_wins=supplied_wins, withheld=self._withheld)
            at_load = self._memory.load_libraries.get(self._question_id, ())
            preload = (*self._material.preload, *at_load, *self._late_libraries)
            worker = self._zygote.spawn(self._limits, preload=preload, modules=modules)
        except WireError:
            self._stop(replies.FILES_TOO_LARGE)
        except SandboxError as error:
            self._stop(Outcome(OutcomeKind.SANDBOX_FAILED, detail=str(error)))
        self._memory.layers = worker.layers
        wall_s = limit.WALL_PER_CPU * self._limits.cpu_s
        self._loaded_by = min(self._attempt.deadline, time.monotonic() + wall_s)
        return worker

    def _load_files(self, worker: Worker) -> bool:
        """Load the file; False where another worker can load more of it than this one did."""
        assert self._main is not None  # noqa: S101  (checked by _start, for the type checker)
        try:
            self._names = self._load_main(worker, self._main)
            for file in self._list_others(self._names):
                self._load.run_other(partial(self._exchange, worker), file, self._material.line_counts)
        except CallFailed as error:
            is_over = error.outcome.kind is OutcomeKind.TIMED_OUT and self._is_used_up(worker)
            if is_over or not self._may_load_more(error.outcome):
                self._fail_to_load(error.outcome)
            self._failure = None
            return False
        self._substitute(worker)
        self._set_limits(worker)
        worker.connection.forget_output()
        self._is_loaded = True
        return True

    def _load_main(self, worker: Worker, file: SourceFile) -> frozenset[str]:
        """Return the names that the question's file defines; none where it does not compile, and another has some."""
        try:
            self._load.run(partial(self._exchange, worker), file, self._material.line_counts)
            return self._import(worker, file.module)
        except CallFailed as error:
            if not self._load.is_uncompiled(error.outcome) or not self._list_others(frozenset()):
                raise
            self._broken = self._load.describe_failure(error.outcome)
            return frozenset()

    def _list_others(self, defined: frozenset[str]) -> list[SourceFile]:
        """List the other files that may define what is tested, where the question's does not."""
        return self._material.list_others(self._attempt.functions, defined)

    def _fail_to_load(self, outcome: Outcome) -> NoReturn:
        failure = self._load.describe_failure(outcome)
        is_ours = failure.kind is OutcomeKind.SANDBOX_FAILED or failure.was_killed
        if not is_ours and not self._late_libraries:
            self._load.failure = failure
        self._stop(failure)

    def _substitute(self, worker: Worker) -> None:
        """Put the grader's functions in the place of the student's."""
        attempt, exports = self._attempt, worker.connection.exports
        if self._broken is not None:
            attempt = replace(attempt, substituted=())  # there is no module to put them in
        for request in self._material.list_substitutions(attempt, exports, self.asked):
            self._exchange(worker, request)
        owners = {find_owner(name) for name in attempt.substituted}
        self._names |= set(map(self._material.find_spelling, owners))

    def _set_limits(self, worker: Worker) -> None:
        """Limit the calls of the check's functions, and the time of a program."""
        worker.connection.exports.limit_callbacks(limit.limit_callbacks(self._attempt.need))
        self._exchange(worker, (messages.SET_CLOCK, *self._clock[:2]))

    def _is_used_up(self, worker: Worker) -> bool:
        """Whether a worker's whole time was up, which is the fault of no one statement."""
        if time.monotonic() >= self._loaded_by:
            return True
        return worker.close().has_used(self._limits.cpu_s)

    def _may_load_more(self, outcome: Outcome) -> bool:
        """Whether to load the file again; what a late library did is not the file's."""
        if self._late_libraries or self._material.question.answers:
            return False
        return self._load.learn(outcome)

    def _import(self, worker: Worker, module: str) -> frozenset[str]:
        names = self._exchange(worker, (messages.IMPORT, module))
        if not messages.has_form(names, [str]):
            self.end_as_garbled("the worker did not say what the file defines")
        return frozenset(names)

    @property
    def _last(self) -> float:
        """When no reply is waited for any more, however long the grader's own functions take."""
        return self._attempt.deadline if self._is_loaded else self._loaded_by

    @property
    def _due(self) -> float:
        """When the next reply is due."""
        wall_s = self._clock.program_s if self._is_loaded else limit.WALL_PER_CPU * limit.LOAD_CPU_S
        return min(time.monotonic() + wall_s, self._last)

    def _exchange(self, worker: Worker, request: tuple[object, ...]) -> Any:
        try:
            reply = worker.connection.exchange(request, deadline=self._due, last=self._last)
        except Ended as ended:
            self._stop(self._determine_outcome(ended, worker))
        return self._read_message(reply)

    def _read_message(self, reply: Any) -> Any:
        """Return the value in a reply; CallFailed where there is none."""
        if messages.is_returned(reply):
            return reply[1]
        if messages.is_message(reply, messages.WANTS_LIBRARY, str):
            self._stop_for_library(reply[1])
        raise CallFailed(self._read_failure(reply))

    def _read_failure(self, reply: Any) -> Outcome:
        return replies.read_failure(reply, self._placeholders, self._material.line_counts, self._withheld)

    def _stop_for_library(self, module: str) -> NoReturn:
        if self._memory.learn_library(self._question_id, module, is_loading=not self._is_loaded):
            self.again = Reason.LIBRARY
            self._stop(Outcome(OutcomeKind.SANDBOX_FAILED, detail=f"{module} was not loaded"))
        text = f"{module} is not available in the grader, and your code imports it"
        self._stop(Outcome(OutcomeKind.RAISED, error_type="ModuleNotFoundError", message=text))

    def _determine_outcome(self, ended: Ended, worker: Worker) -> Outcome:
        try:
            return determine_outcome_of_end(ended, worker.close(), cpu_s=self._limits.cpu_s)
        except SandboxError as error:
            return Outcome(OutcomeKind.SANDBOX_FAILED, detail=str(error))

    def _stop(self, outcome: Outcome) -> NoReturn:
        self._failure = outcome
        raise CallFailed(outcome)

    def _find(self, worker: Worker, name: str) -> Handle:
        spelling = self.spell(name)
        kind = messages.FIND_CLASS if self.is_class(name) else messages.FIND
        handle = self._exchange(worker, (kind, spelling.module, spelling.name))
        if not isinstance(handle, Handle):
            self.end_as_garbled("the worker did not return the function")
        return handle

    def _describe_missing(self, name: str) -> Outcome:
        if self._broken is not None:
            return self._broken
        gap = self._load.describe_gap() or self._material.find_other_definition(name)
        detail = f"the file does not define {name}{gap}"
        return Outcome(OutcomeKind.NOT_WRITTEN, detail=detail, missing_name=name)
