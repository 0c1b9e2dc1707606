"""Check answers: what functions of this process reply to the programs of a contract's check, for a comparison.

No body is run and nothing crosses a border: a known mistake that differs from a student's function in the first program
costs one call.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from autograder.checks import NotWritten
from autograder.contracts import CheckBody, judge_functions
from autograder.contracts.body import DerivedCheck
from autograder.contracts.check import CaseCheck
from autograder.contracts.judgement import judge_uses
from autograder.contracts.reply import CaseReply, pair_replies
from autograder.diagnosis.replay import RecordedReply, Replay, describe_error
from autograder.programs.outcome import CallFailed
from autograder.programs.plain_values import Handle
from autograder.programs.program import Call, Make, Program, Result, run_program
from autograder.programs.recipes import Copy, Toy
from autograder.sandbox.calls.requests import seed_generators
from autograder.sandbox.protocol import messages
from autograder.student import TestCall

_IN_WORKER = Handle(0, "", is_callable=True, attributes={})  # stands for an argument that is made next to student code
MOST_DRAWS = 40  # of a random function are compared; a check may ask for hundreds, to judge by their statistics


def find_check(call: TestCall) -> DerivedCheck | None:
    """Return the check that the body of a hidden test is; None for a body written by hand."""
    return call.derived if isinstance(call, CheckBody) else None


def record_replies(check: DerivedCheck, replies: Sequence[Any], noted: Sequence[Any]) -> list[Any]:
    """Return a student's replies to the programs of a check as they are compared.

    `noted`: what `judge_uses` found, which the replies do not show.
    """
    programs = check.programs
    told = zip(programs, replies, itertools.chain(noted, itertools.repeat({})), strict=False)
    records = [record_reply(check, number, *each) for number, each in enumerate(told)]
    if len(replies) == len(programs):
        records += list_promises(check, replies)
    return [each.reply for each in records]


def list_answers(check: DerivedCheck, replay: Replay, stem: str) -> Iterator[RecordedReply]:
    """Yield the reply of a replay's functions to each program, then what has to stay."""
    seed_generators()
    describe = partial(describe_error, replay.list_places(stem))
    replies = []
    for number, program in enumerate(check.programs):
        replies.append(run_program(program, partial(replay.find, stem), describe=describe))
        yield record_reply(check, number, program, replies[-1], judge_uses(check, number, replies[-1]))
    yield from list_promises(check, replies)


def list_promises(check: DerivedCheck, replies: Sequence[Any]) -> Iterator[RecordedReply]:
    """List the arguments that have to stay, as calls left them."""
    if not isinstance(check, CaseCheck):
        return
    paired = pair_replies(check, replies)
    for number in check.promising:
        left = tuple(paired[number].left.values())
        yield RecordedReply((), (None, left), messages.CALL, check.function)


def find_failure(check: DerivedCheck, replay: Replay, stem: str) -> Exception | None:
    """Return the exception with which a check fails for the functions of a replay, None where it passes."""
    seed_generators()
    try:
        return judge_functions(check, partial(replay.find, stem))[1]
    except (CallFailed, NotWritten) as error:
        return error


def record_reply(
    check: DerivedCheck, number: int, program: Program, reply: Sequence[Any], uses: Mapping[int, Any]
) -> RecordedReply:
    """Return the record of a reply; `uses`: what is judged of its dialogues. Of many draws most are left out."""
    arguments, name = list_given(program), check.function
    parts = list(reply)
    if isinstance(check, CaseCheck) and number < len(check.cases):
        left = CaseReply(check, check.cases[number], reply).left
        parts = [check.drop_cache(each) for each in reply[: len(reply) - len(left)]]
        looked_at = {place for place, _ in check.left.values()}
        parts += [uses.get(place, value) for place, value in left.items() if place in looked_at]
    elif isinstance(reply[0], list):
        drawn = reply[0][:MOST_DRAWS]
        return RecordedReply((), drawn, messages.EACH, name, (arguments,) * len(drawn))
    return RecordedReply(arguments, parts[0] if len(parts) == 1 else tuple(parts), messages.CALL, name)


def list_given(program: Program) -> tuple[Any, ...]:
    """List the arguments of the first call of a program; what is made next to student code is an object there."""
    call = next(step for step in program.steps if isinstance(step, Call))
    return tuple(_find_value(program, each) for each in call.arguments)


def _find_value(program: Program, argument: Any) -> Any:
    if not isinstance(argument, Result):
        return argument
    made = program.steps[argument.number]
    recipe = made.recipe if isinstance(made, Make) else None
    if isinstance(recipe, Copy):
        return recipe.value
    return recipe if isinstance(recipe, Toy) else _IN_WORKER
