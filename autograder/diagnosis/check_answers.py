"""Check answers: what functions of this process reply to the requests of a contract's check, for a comparison.

No body is run and nothing crosses a border: a known mistake that differs from a student's function in the first request
costs one call.
"""

from __future__ import annotations

import itertools
import traceback
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from autograder.checks import NotWritten
from autograder.contracts import CheckBody, judge_functions
from autograder.contracts.body import DerivedCheck, ask_student
from autograder.contracts.call_values import make_plain
from autograder.contracts.check import CaseCheck
from autograder.contracts.judgement import judge_uses
from autograder.contracts.live_argument import STANDING, Constant, Generator
from autograder.contracts.request import AnyRequest, Request
from autograder.diagnosis.replay import RecordedReply, Replay, build_outcome
from autograder.sandbox.calls.requests import seed_generators
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.outcome import CallFailed, Outcome
from autograder.sandbox.protocol.toy_source import SOURCE_FILE
from autograder.sandbox.protocol.wire import Handle
from autograder.student import Student, TestCall

_IN_WORKER = Handle(0, "", is_callable=True, attributes={})  # stands for an argument that is made beside student code
MOST_DRAWS = 40  # of a random function are compared; a check may ask for hundreds, to judge by their statistics


def find_check(call: TestCall) -> DerivedCheck | None:
    """Return the check that the body of a hidden test is; None for a body written by hand."""
    return call.derived if isinstance(call, CheckBody) else None


def ask_check(check: DerivedCheck, student: Student, stem: str, noted: Sequence[Any]) -> tuple[DerivedCheck, list[Any]]:
    """Return a check as the replies of a `Student` adapt it, and these; fewer where the first call gave no value.

    `noted`: what `judge_uses` found, which a replay of the replies does not show.
    """
    try:
        check, replies = ask_student(check, student, stem)
    except CallFailed as failed:
        replies = [failed.outcome]
    requests: Sequence[AnyRequest] = check.requests
    told = zip(requests, replies, itertools.chain(noted, itertools.repeat(())), strict=False)
    return check, [record_reply(asked, _arrange(check, asked, each), uses).reply for asked, each, uses in told]


def list_answers(check: DerivedCheck, replay: Replay, stem: str) -> Iterator[RecordedReply]:
    """Yield the reply of a replay's functions to each request."""
    find = partial(replay.find, stem)
    seed_generators()
    requests: Sequence[AnyRequest] = check.requests
    for number, asked in enumerate(requests):
        request = asked._replace(calls=min(asked.calls, MOST_DRAWS)) if isinstance(asked, Request) else asked
        try:
            reply = make_plain(request.answer(find))
        except Exception as error:  # noqa: BLE001  (an exception of a mistake is its reply)
            reply = _build_outcome(error, replay.list_places(stem))
        yield record_reply(request, _arrange(check, request, reply), judge_uses(check, number, reply))


def find_failure(check: DerivedCheck, replay: Replay, stem: str) -> Exception | None:
    """Return the exception with which a check fails for the functions of a replay, None where it passes."""
    seed_generators()
    try:
        return judge_functions(check, partial(replay.find, stem))[1]
    except (CallFailed, NotWritten) as error:
        return error


def _arrange(check: DerivedCheck, request: AnyRequest, reply: Any) -> Any:
    """Return a reply without a cache, and with the items of attributes that have no order in one order."""
    if not isinstance(check, CaseCheck) or (isinstance(request, Request) and request.calls):
        return reply
    if check.owner:
        is_seen = isinstance(reply, dict)
        return {name: check.arrange(name, value) for name, value in reply.items()} if is_seen else reply
    has_more = isinstance(request, Request) and request.keeps_arguments and isinstance(reply, tuple)
    return (check.drop_cache(reply[0]), *reply[1:]) if has_more else check.drop_cache(reply)


def record_reply(request: AnyRequest, reply: Any, uses: Sequence[tuple[int, Any]]) -> RecordedReply:
    """Return the record of a reply; `uses`: what is judged of its dialogues. Of many draws most are left out."""
    name = request.function
    if not isinstance(request, Request):
        return RecordedReply(request.arguments, reply, messages.CALL, name)
    given = request.list_given(request.arguments, _IN_WORKER)
    arguments = tuple(_IN_WORKER if isinstance(each, (Generator, Constant)) else each for each in given)
    if request.calls:
        calls = (arguments,) * min(request.calls, MOST_DRAWS)
        return RecordedReply((), reply[: len(calls)] if isinstance(reply, list) else reply, messages.EACH, name, calls)
    if request.listens and not isinstance(reply, Outcome):
        judged = dict(uses)
        pairs = enumerate(zip(given, reply[1], strict=True))
        left = (judged.get(place) if isinstance(was, STANDING) else now for place, (was, now) in pairs)
        reply = (reply[0], tuple(left))
    kind = messages.CALL_KEEPING_ARGUMENTS if request.keeps_arguments else messages.CALL
    return RecordedReply(arguments, reply, kind, name)


def _build_outcome(error: Exception, places: Mapping[str, str]) -> Outcome:
    """Return the outcome of a call; where a toy refuses it, what student code would get."""
    frames = traceback.extract_tb(error.__traceback__)
    is_refused = isinstance(error, RuntimeError) and frames and frames[-1].filename == SOURCE_FILE
    outcome = build_outcome(error, places, str(error) if is_refused else "")
    return replace(outcome, error_type=ValueError.__name__) if outcome.refusal else outcome
