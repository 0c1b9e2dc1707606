"""No value: says in words how a call ended that gave no value."""

from __future__ import annotations

import builtins

from autograder.checks.check_failed import CheckFailed
from autograder.programs.outcome import Outcome, OutcomeKind
from autograder.sandbox.limits import OUTPUT_KILL_BYTES

# What code did, and what to look for. The limit of time is not named: which of the two ends a call differs from run to
# run on a busy machine.
SENTENCES = {
    OutcomeKind.TIMED_OUT: ("was stopped because it took too long", "look for a loop that does not end"),
    OutcomeKind.OUT_OF_MEMORY: (
        "asked for more memory than the grader allows",
        "look for an array that is much larger than needed",
    ),
    OutcomeKind.OUTPUT_LIMIT: (
        f"was stopped because it printed more than {OUTPUT_KILL_BYTES >> 20} MB",
        "remove the prints inside loops",
    ),
    OutcomeKind.DIED: (
        "ended the whole Python process",
        "look for calls of exit() or os._exit(), for ctypes, for endless recursion and for very large arrays",
    ),
    OutcomeKind.GARBLED: ("disturbed the connection to the grader", "do not use file descriptors or sockets"),
}
DETAILED = (OutcomeKind.DIED, OutcomeKind.GARBLED)  # code chooses the detail, and could choose it by its inputs


def describe_end(outcome: Outcome) -> str:
    """Say what a call did; a class of the student's could be named after its inputs, a refusal is our text."""
    if outcome.ends_worker:
        return SENTENCES[outcome.kind][0]
    error = outcome.error_type if hasattr(builtins, outcome.error_type) else "an exception"
    return f"raised {error}: {outcome.refusal}" if outcome.refusal else f"raised {error}"


def describe_error(what: str, outcome: Outcome) -> CheckFailed:
    """Describe the end of a call as the failure of a value."""
    found = f"the call {describe_end(outcome)}"
    if outcome.ends_worker:
        detail = (f"found:    {found} ({outcome.detail})",) if outcome.kind in DETAILED else ()
        _, next_step = SENTENCES[outcome.kind]
        return CheckFailed(what, expected="a value", found=found, values=detail, hint=next_step)
    frame = outcome.frames[-1] if outcome.frames else None
    if frame is not None:
        found += f", {frame.file} line {frame.line}"
    message = (f"message:  {outcome.message}",) if outcome.message else ()
    return CheckFailed(what, expected="a value", found=found, values=message)
