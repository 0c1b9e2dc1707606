"""Messages: the name of every request and reply, each written once.

Run by both sides, with the rights of each. Trusts nothing. A message is a tuple whose first item is one of these names;
no name says how a test ended. The names are plain strings, not an enum: only exact base types cross the wire.
"""

from __future__ import annotations

from typing import Any, Final, TypeGuard

# The first message to a worker, and its reply once the worker is confined.
PRELOAD: Final = "preload"
READY: Final = "ready"

# Requests about modules, which workers alone answer.
LOAD: Final = "load"
IMPORT: Final = "import"
BEGIN_STATEMENTS: Final = "begin_statements"
RUN_STATEMENT: Final = "run_statement"
FIND: Final = "find"  # a function, which then takes by position what the student's takes by name
FIND_CLASS: Final = "find_class"
SUBSTITUTE: Final = "substitute"
SET_CLOCK: Final = "set_clock"
RESET: Final = "reset"  # puts the process back as it was before it loaded any file, and loads them
PROGRAMS: Final = "programs"  # a reply to each
ALL_PROGRAMS: Final = "all_programs"  # one reply to all

# Requests about functions and objects, which are also answered in process, where a known mistake is replayed.
CALL: Final = "call"
CALL_RECORDING_WARNINGS: Final = "call_recording_warnings"
CALL_KEEPING_VALUE: Final = "call_keeping_value"
CALL_METHOD: Final = "call_method"
CALL_WITH_GRADIENTS: Final = "call_with_gradients"
EACH: Final = "each"
GET: Final = "get"
SET: Final = "set"
MAKE: Final = "make"
# What is done with an object, after its handle.
OF_OBJECTS: Final = (CALL_METHOD, GET, SET)

# Replies to a request.
RETURNED: Final = "returned"
RAISED: Final = "raised"
UNSENDABLE: Final = "unsendable"
WANTS_LIBRARY: Final = "wants_library"
USED_SUPPLIED: Final = "used_supplied"
MISSING: Final = "missing"  # a name that no file defines

REFUSE_SUPPLIED: Final = "_refuse_supplied"  # the name of what stands for the body of a withheld function

# A question of the worker's within a request, and the two answers to it.
CALLBACK: Final = "callback"
ANSWER: Final = "answer"
REFUSE: Final = "refuse"

# Requests of the grader to the zygote, which answers with a value. Both are trusted: no worker has this socket.
SPAWN: Final = "spawn"  # a worker with a uid, or None, without some layers, with limits; carries its socket and output
END: Final = "end"  # a worker, by its pid

_MOST_STEPS = 100_000  # of one program
FIRST_TOY = 1 << 40


def name_toy(program: int, step: int) -> int:
    """Return the number under which a toy of a message of programs crosses, larger than that of any export."""
    return FIRST_TOY + program * _MOST_STEPS + step


def is_returned(reply: Any) -> TypeGuard[tuple[str, Any]]:
    """Whether a reply, of any form, brings the value of a request."""
    return is_message(reply, RETURNED, object)


def is_message(reply: Any, name: str, *forms: Any) -> bool:
    """Whether a reply, of any form, is a message of that name whose other parts have these forms."""
    return has_form(reply, (str, *forms)) and bool(reply[0] == name)


def has_form(value: Any, form: Any) -> bool:
    """Whether an untrusted value has a form: exactly that type, any where it is `object`, or parts of such forms.

    `(int, [str])` is the form of pairs of a number and a list of texts, however many.
    """
    if type(form) is list and type(value) is list:
        (each,) = form
        if type(each) is type:  # of thousands of texts or numbers the types alone, which is faster
            return set(map(type, value)) <= {each}
        return all(has_form(item, each) for item in value)
    if type(form) is tuple and type(value) is tuple:
        return len(value) == len(form) and all(map(has_form, value, form))
    return form is object or type(value) is form
