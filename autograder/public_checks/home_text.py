"""Home text: turns the results of public checks into the lines that a student reads at home, function by function."""

from __future__ import annotations

import signal
from collections.abc import Mapping, Sequence
from typing import Any

from autograder.grading import explain
from autograder.plain_text import count
from autograder.programs.outcome import Outcome, OutcomeKind

HomeResult = Mapping[str, Any]  # a check of a question's data, and how it ended
_COLOURS = {"FAIL": "31", "SKIP": "33", "NOTE": "36", "PASS": "32", "still open:": "33"}
_WORDS = list(_COLOURS)  # the word of a function is the first that one of its checks has
_BOLD = "1"
_WINDOWS_ERROR = 0xC0000000  # the first status by which Windows ends a process, as at a stack that is too deep
_MARGIN = " " * 6
_ADVICE = "advice, no points"
_NOT_WRITTEN = "Not written yet"
_PASSED = "Passed."
_NO_FILE = "no file of this question"  # a reason that all functions of a question share


class QuestionLines:
    """The lines on one question; what several checks share is said once."""

    def __init__(self, *, is_coloured: bool) -> None:
        self._is_coloured = is_coloured
        self._told: set[str] = set()

    def write_head(self, title: str, path: str | None) -> str:
        """Write the first line."""
        return self._paint(explain.clean_student_text(f"{title} ({path or 'no file'})", 300), _BOLD)

    def write_function(self, name: str, results: Sequence[HomeResult]) -> str:
        """Write one line for a function that is right or still open, else its points and each of its checks."""
        lines = []
        for each in results:
            lines += [f"  {note}" for note in each["notes"] if self._is_new(note)]
        if all(each["state"] == "open" for each in results):
            lines.append(
                f"  {self._paint('still open:')} {name} ({_count_checks(results)}){self._tell_why(results[0])}"
            )
            return "\n".join(lines)
        worth = [each for each in results if each["points"]] or results
        is_right = all(each["state"] == "passed" for each in worth)
        points = _count_checks(results) if is_right else _count_earned(results)
        word = min(map(_choose_word, worth), key=_WORDS.index)
        lines.append(f"  {self._paint(word)} {name} ({points})")
        for each in results:
            if not is_right or each["text"] != _PASSED:
                lines.append(self._write_check(each, name))
        return "\n".join(lines)

    def _tell_why(self, result: HomeResult) -> str:
        """Return why a function is open, but once what all functions of a question share."""
        reason = str(result["text"]).removeprefix(_NOT_WRITTEN)
        is_told = _NO_FILE in reason and not self._is_new(reason)
        return "" if is_told else reason

    def _write_check(self, result: HomeResult, function: str) -> str:
        text = result["text"]
        points = _count_earned([result]) if result["points"] else _ADVICE
        title = result["title"].removeprefix(f"{function}: ")
        head = f"    {self._paint(_choose_word(result))} {result['number']} {title} ({points})"
        if text == _PASSED:
            return head
        if result["is_of_file"] and not self._is_new(text):
            return f"{head}\n{_MARGIN}The same as above."
        if not result["points"]:
            text = explain.mark_as_advice(text)
        if result["state"] == "failed":
            printed = explain.explain_printed(result["printed"].encode())
            text = "\n".join(filter(None, [text, printed]))
        return "\n".join([head, *_indent(text)])

    def _is_new(self, text: str) -> bool:
        is_new = text not in self._told
        self._told.add(text)
        return is_new

    def _paint(self, text: str, colour: str = "") -> str:
        return f"\033[{colour or _COLOURS[text]}m{text}\033[0m" if self._is_coloured else text


def _choose_word(result: HomeResult) -> str:
    if result["state"] in ("passed", "skipped"):
        return "PASS" if result["state"] == "passed" else "SKIP"
    return "FAIL" if result["points"] else "NOTE"


def write_there(check: Mapping[str, Any]) -> str:
    """Write the line of a check that does not run here."""
    points = count(check["points"], "point") if check["points"] else _ADVICE
    return f"  {check['number']} {check['title']} ({points}): runs on Gradescope"


def write_rest(checks: int, points: float) -> str:
    """Write the line on the checks that only Gradescope has, and an empty line."""
    return f"  On Gradescope {count(checks, 'more check')}, worth {count(points, 'point')}.\n"


def write_start(results: Sequence[HomeResult]) -> str:
    """Write which of several functions to look at first, as later ones may rely on it; a result has a `path` too."""
    worth = [each for each in results if each["points"]]
    unsolved = [each for each in worth if each["state"] == "failed"]
    unsolved += [each for each in worth if each["state"] == "open"]
    functions = [" and ".join(each["functions"]) for each in unsolved]
    names = list(dict.fromkeys(functions))
    if len(names) < 2:
        return ""
    first = unsolved[0]
    if first["is_of_file"]:
        return f"Start with {first['path']}: it could not be loaded.\n"
    place = f" in {first['path']}" if first["path"] else ""
    more = " Functions that call it may fail for that reason alone." if first["state"] == "failed" else ""
    return f"Start with {names[0]}{place}.{more}\n"


def write_total(results: Sequence[HomeResult]) -> str:
    """Write the last line."""
    worth = [each for each in results if each["points"]]
    states = [each["state"] for each in worth]
    total = f"{states.count('passed')} of {len(worth)} visible checks passed, {_count_earned(worth)}"
    return f"{total}; {states.count('open')} still open" if "open" in states else total


def write_end(status: int | None, place: str) -> str:
    """Write the text of a check whose process ended by itself, or was stopped: then the status is None.

    `place`: the line of the file that was being loaded, empty if none was.
    """
    outcome = Outcome(OutcomeKind.TIMED_OUT, is_at_load=bool(place))
    if status is not None:
        detail = _describe_end(status)
        outcome = Outcome(OutcomeKind.DIED, detail=detail, is_at_load=bool(place))
    text = explain.explain_outcome(outcome, shows_values=True)
    return f"{text}\n  where:    {place}" if place else text


def _describe_end(status: int) -> str:
    if status < 0:
        return f"the process was ended by {signal.Signals(-status).name}"
    if status >= _WINDOWS_ERROR:
        return f"the process was ended by Windows with the status {status:08X}"
    return f"the process ended itself with exit status {status}"


def _indent(text: str) -> list[str]:
    """Indent a text, but for the lines to run, which are to be pasted."""
    lines, margin = [], _MARGIN
    for line in text.splitlines():
        if line == explain.PRINTED:
            margin = _MARGIN
        lines.append(f"{margin}{line}" if line else "")
        if line == explain.REPRODUCER:
            margin = ""
    return lines


def _count_checks(results: Sequence[HomeResult]) -> str:
    return f"{count(len(results), 'check')}, {_count_points(results)}"


def _count_earned(results: Sequence[HomeResult]) -> str:
    earned = sum(each["points"] * each["share"] for each in results)
    return f"{round(earned, 2):g} of {_count_points(results)}"


def _count_points(results: Sequence[HomeResult]) -> str:
    points = sum(each["points"] for each in results)
    return count(round(points, 2), "point")
