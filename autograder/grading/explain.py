"""Explain: turns the end of an attempt into text for the student: the value expected, the value found, the next step.

All text from the student's side is escaped and cut here. A test that is not visible yet shows no values, no messages of
exceptions, no prints and no names that code can choose at run time, because each could repeat its inputs; the type of
an exception of Python or numpy, its line in the student's own file and the reason of a test's refusal, which is a
constant text of ours, are always shown.
"""

from __future__ import annotations

import builtins
import re
import sys
from collections.abc import Sequence

from autograder.checks.check_failed import DETAILED, SENTENCES, CheckFailed
from autograder.machine import hide_cut_path, hide_paths
from autograder.plain_text import CUT, clean, clean_line, join_words
from autograder.programs.outcome import NOT_LOADED, Frame, Outcome, OutcomeKind, is_name
from autograder.sandbox.limits import LATE_CHECKS, MESSAGE_CHARACTERS, Limits

REASON_CHARACTERS = 200  # of why a statement was left out
_MESSAGE_CHARACTERS = 500
_PRINTED_CHARACTERS = 1_000
_PRINTED_ENDS = 6  # lines shown of the first and of the last prints, where a gradient check calls a function 40 times
_REPRODUCER_CHARACTERS = 5_000
REPRODUCER = "To see it yourself, run these lines in the folder of your file:"
RIGHT_ALONE = "  alone:    The same call alone gives the right value: look for what your code keeps from call to call."
PAIR = "  pair:     It is right with your own {}: the two agree, but one of them is not what the assignment asks for."
PRINTED = "Printed by your code:"
_FRAMES_SHOWN = 3
_OF_NUMPY = {"AxisError", "LinAlgError", "UFuncTypeError", "_UFuncNoLoopError", "_UFuncOutputCastingError"}
_NO_DATA_FILES = "the grader supplies no data files"
_CODE_FILE = re.compile(r"\.(?:py|ipynb)'$")
_IMPORT_CODE = "import a Python file of yours in place of opening it"
_NO_OTHERS = "the grader has neither network nor other processes, and no check needs them"
_NEXT_STEPS = {  # by the type of the exception
    "FileNotFoundError": f"{_NO_DATA_FILES}, and no check needs one",
    "PermissionError": _NO_OTHERS,
    "URLError": _NO_OTHERS,
    "gaierror": _NO_OTHERS,
    "EOFError": "remove the call of input(): nobody answers it in the grader",
    "SystemExit": "the function ended the program: return a value instead",
    "SyntaxError": f"the grader reads files with Python {sys.version_info[0]}.{sys.version_info[1]}",
}
_COPIED = re.compile("invalid (?:non-printable )?character")
_TYPE_AGAIN = "type this character again: it was copied from a page or a document"
_OF_PYTHON_2 = "Missing parentheses in call to"
_NOT_REACHED = (
    "no line of your function raised it: compare parameters and result with the assignment, and look at its decorators"
)
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}\b")  # differs from run to run
_CUT_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]*$")

_LEFT_OUT_BECAUSE = {
    "SystemExit": "it ended the program",
    "EOFError": "it asked for input, and nobody answers in the grader",
    "KeyboardInterrupt": "it raised a KeyboardInterrupt",
}
_OF_TERMINALS = {
    "name 'exit' is not defined": "it ended the program",
    "name 'quit' is not defined": "it ended the program",
    "name 'get_ipython' is not defined": "only a notebook has get_ipython",
}


def explain_check(failed: CheckFailed, *, shows_values: bool) -> str:
    """Write the text of a failed check."""
    shown = {"expected": failed.expected, "found": failed.found}
    more = []
    for line in failed.values if shows_values else ():
        word, _, text = line.partition(":")
        if word in shown:
            shown[word] = _prefix_lines(text.strip())
        else:
            more.append(f"  {_prefix_lines(line)}")
    lines = [f"FAIL {failed.what}", f"  expected: {shown['expected']}", f"  found:    {shown['found']}", *more]
    name = failed.value_name
    if shows_values and name and not failed.what.startswith(f"{name} is wrong"):
        lines.insert(1, f"  value:    {name}")
    if failed.relation:
        lines.append(f"  relation: {failed.relation}")
    if failed.hint:
        lines.append(f"  next:     {failed.hint}")
    return clean_student_text("\n".join(lines), 4 * _MESSAGE_CHARACTERS)


def explain_outcome(outcome: Outcome, *, shows_values: bool, limits: Limits | None = None) -> str:
    """Write the text of a call that returned no value; `limits`: of its worker, where they may be named."""
    if outcome.kind is OutcomeKind.NOT_WRITTEN:
        text = f"Not written yet: {outcome.detail}" if outcome.detail else "Not written yet"
        return clean_student_text(text, 500)
    what = NOT_LOADED if outcome.is_at_load else "FAIL Your function gave no value."
    start = f"{what}\n  found:    "
    if outcome.kind is OutcomeKind.RAISED:
        # While a file is loaded, it has not received any input.
        return start + _explain_raised(outcome, shows_texts=shows_values or outcome.is_at_load)
    sentence, next_step = SENTENCES[outcome.kind]
    detail = ""
    if outcome.kind in DETAILED and outcome.detail and (shows_values or outcome.is_at_load):
        detail = f" ({outcome.detail})"
    elif outcome.kind is OutcomeKind.OUT_OF_MEMORY and limits:
        detail = f" ({limits.address_space_bytes >> 20} MiB with Python and numpy)"
    text = f"{start}It {sentence}{detail}.\n  next:     {next_step}"
    return clean_student_text(text, 1_000) + _list_frames(outcome.frames, shows_names=shows_values)


def explain_endless(functions: tuple[str, ...]) -> str:
    """Write the text of a test that was not run, because these functions did not end in others."""
    _, next_step = SENTENCES[OutcomeKind.TIMED_OUT]
    return (
        f"FAIL This check was not run.\n"
        f"  found:    {' and '.join(functions)} did not end in {LATE_CHECKS} earlier checks within the time limit.\n"
        f"  next:     {next_step}"
    )


def explain_statement(error_type: str, text: str) -> str:
    """Write why a statement was left out: `error_type` and `text` describe its exception."""
    if error_type in _LEFT_OUT_BECAUSE:
        return _LEFT_OUT_BECAUSE[error_type]
    if text in _OF_TERMINALS:
        return _OF_TERMINALS[text]
    named = error_type if is_name(error_type) else "an exception without a proper name"
    shown = clean_student_text(text, REASON_CHARACTERS).rstrip(".")
    reason = clean_line(f"it raised {named}" + (f": {shown}" if shown else ""), REASON_CHARACTERS)
    if error_type != "FileNotFoundError":
        return reason
    return f"{reason}; {_IMPORT_CODE if _CODE_FILE.search(text) else _NO_DATA_FILES}"


def mark_as_advice(text: str) -> str:
    """Return the text of a failed test that gives no points."""
    return text.replace("FAIL ", "ADVICE, without points: ", 1) if text.startswith("FAIL ") else text


def explain_replaced(functions: Sequence[str]) -> str:
    """Write the line on the grader's functions with which a check failed; empty for none."""
    if not functions:
        return ""
    return f"  with:     the grader's {join_words(functions)} in place of yours, which lost points"


def explain_reproducer(lines: str) -> str:
    """Write the lines that reproduce a failure on the student's machine, for the output of a visible test."""
    return f"{REPRODUCER}\n{clean_student_text(lines, _REPRODUCER_CHARACTERS)}" if lines else ""


def explain_printed(printed: bytes) -> str:
    """Write the prints of the student's code, for the output of a visible test."""
    text = clean_student_text(printed.decode("utf-8", "backslashreplace"), _PRINTED_CHARACTERS).rstrip()
    lines = text.split("\n")
    if len(lines) > 2 * _PRINTED_ENDS + 1:
        lines[_PRINTED_ENDS:-_PRINTED_ENDS] = [CUT.strip()]
    return "\n  | ".join([PRINTED, *lines]) if text else ""


def _prefix_lines(text: str) -> str:
    """Return a student's text with a mark before each line but the first, so that none looks like one of ours."""
    return text.replace("\n", "\n  | ")


def add_line(output: str, line: str) -> str:
    """Return the output of a failed check with one line more, before the parts that may be long."""
    end = len(output)
    for mark in (REPRODUCER, PRINTED):
        place = output.find(f"\n{mark}\n", 0, end)
        if place >= 0:
            end = place
    return f"{output[:end]}\n{line}{output[end:]}"


def clean_student_text(text: str, limit: int) -> str:
    """Return a student's text, escaped, cut, and without memory addresses and folders of this machine."""
    shown = _ADDRESS.sub("0x...", hide_paths(text))
    if len(text) >= MESSAGE_CHARACTERS:  # the worker may have cut it
        shown = hide_cut_path(_CUT_ADDRESS.sub("0x...", shown))
    return clean(shown, limit)


def _explain_raised(outcome: Outcome, *, shows_texts: bool) -> str:
    message = clean_student_text(outcome.message if shows_texts else outcome.refusal, _MESSAGE_CHARACTERS)
    is_shown = shows_texts or _is_common(outcome.error_type) or not is_name(outcome.error_type)
    text = _name_error_type(outcome.error_type) if is_shown else "an exception of a class of your own"
    if outcome.detail:
        text = outcome.detail
    if message:
        text += f": {_prefix_lines(message)}"
    advice = _NEXT_STEPS.get(outcome.error_type, "")
    if message.startswith(_OF_PYTHON_2):  # there is a note on it
        advice = ""
    if _COPIED.match(message):
        advice = _TYPE_AGAIN
    if shows_texts and _OF_TERMINALS.get(outcome.message) == _LEFT_OUT_BECAUSE["SystemExit"]:
        advice = _NEXT_STEPS["SystemExit"]
    if outcome.error_type == "TypeError" and not outcome.frames:
        advice = _NOT_REACHED
    text += _list_frames(outcome.frames, shows_names=shows_texts)
    return f"{text}\n  next:     {advice}" if advice else text


def _is_common(error_type: str) -> bool:
    return hasattr(builtins, error_type) or error_type in _OF_NUMPY


def _name_error_type(error_type: str) -> str:
    if not is_name(error_type):
        return "an exception without a proper name"
    article = "an" if error_type[0] in "AEIO" or error_type.startswith("Unb") else "a"  # an UnboundLocalError
    return f"{article} {error_type}"


def _list_frames(frames: tuple[Frame, ...], *, shows_names: bool) -> str:
    text = ""
    for frame in frames[-_FRAMES_SHOWN:]:
        name = f", in {frame.function}" if frame.function and shows_names else ""
        place = clean_student_text(f"{frame.file} line {frame.line}{name}", 200)
        text += f"\n  where:    {place}"
    return text
