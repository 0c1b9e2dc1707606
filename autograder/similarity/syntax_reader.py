"""Syntax reader: asks a confined worker for the syntax tokens of a submission's files.

Student text is never parsed in this process: a text can crash the parser, or stall it. Each submission has a worker of
its own, which loads `syntax_tokens` in the place of a student's module and gets the text as a value. Its reply is
trusted no further than its form.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from autograder.sandbox.host.client import Worker, Zygote
from autograder.sandbox.host.connection import Ended
from autograder.sandbox.limits import Limits
from autograder.sandbox.protocol import messages
from autograder.similarity import syntax_tokens
from autograder.similarity.syntax_tokens import Part

CPU_S = 3  # to parse all files of a submission; the right answers take 0.1 s
_WALL_S = 3.0 * CPU_S
_WORKERS = 3  # for one submission: files that end their worker, one after another, cost no more
_MODULE = "syntax_tokens"
_SOURCE = Path(syntax_tokens.__file__).read_text(encoding="utf-8")


def read_syntax(zygote: Zygote, texts: Mapping[str, str]) -> dict[str, list[Part] | None]:
    """Return by path the parts of each file of a submission, tokens and lines; None where Python did not parse it.

    The files are read in a new worker of the zygote. SandboxError if none starts.
    """
    found: dict[str, list[Part] | None] = dict.fromkeys(texts)
    pending = list(texts)
    for _ in range(_WORKERS):
        if pending:
            with contextlib.closing(zygote.spawn(Limits(cpu_s=CPU_S), preload=("ast",))) as worker:
                _read_until_end(worker, texts, pending, found)
    return found


def _read_until_end(
    worker: Worker, texts: Mapping[str, str], pending: list[str], found: dict[str, list[Part] | None]
) -> None:
    """Read the pending files, and take each from the list, until one ends the worker."""
    deadline = time.monotonic() + _WALL_S
    with contextlib.suppress(Ended):
        _request(worker, deadline, messages.LOAD, {_MODULE: (f"{_MODULE}.py", _SOURCE, False)}, {}, False)
        _request(worker, deadline, messages.IMPORT, _MODULE)
        function = _request(worker, deadline, messages.FIND, _MODULE, "list_parts")
        while pending:
            path = pending.pop(0)
            reply = _request(worker, deadline, messages.CALL, function, (texts[path],))
            found[path] = check_parts(reply, texts[path].count("\n") + 1)


def _request(worker: Worker, deadline: float, *message: object) -> Any:
    """Return the value of a request; None where it raised."""
    reply = worker.connection.exchange(message, deadline=deadline)
    return reply[1] if messages.is_returned(reply) else None


def check_parts(reply: Any, last_line: int) -> list[Part] | None:
    """Return the parts of a reply that has the form of one; None for any other."""
    if not messages.has_form(reply, [([str], [int])]):
        return None
    are_in_file = all(0 <= line <= last_line for _, lines in reply for line in lines)
    return list(reply) if are_in_file and all(len(tokens) == len(lines) for tokens, lines in reply) else None
