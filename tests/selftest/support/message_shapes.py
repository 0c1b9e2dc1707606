"""Message shapes: prints each shape of the messages that students read of visible checks, with an example.

Run as `python -m tests.selftest.support.message_shapes [QUESTION ...]` in the project's folder. It grades every known
mistake of the questions named, or of all. Two messages have one shape if they differ in numbers, file lines and the
lines to run only.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence

from autograder.grading.explain import PRINTED, REPRODUCER
from autograder.results import Verdict, Visibility
from tests.selftest.support.bank import build_submission_source, load
from tests.selftest.support.grading import ASSIGNMENT, checks_of

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
_HINT = re.compile(r"^  hint: .*", re.MULTILINE)


def find_shape(output: str) -> str:
    """Return a message with numbers replaced by #, and without its hint, lines to run and prints."""
    text = re.split(rf"\n(?:{re.escape(REPRODUCER)}|{re.escape(PRINTED)})\n", output)[0]
    text = _HINT.sub("", text).rstrip()
    return re.sub(r"#(?:, #)+", "#, ...", _NUMBER.sub("#", text))


def list_shapes(stems: Sequence[str]) -> Iterator[tuple[int, str, str]]:
    """Yield each shape of the messages, by how often it comes, with the mistake and the check that show it."""
    found: dict[str, list[str]] = {}
    for mistake in (each for stem in stems for each in load(stem)):
        for name, check in checks_of(mistake.stem, build_submission_source(mistake)).items():
            if check.visibility is Visibility.VISIBLE and check.verdict is not Verdict.PASSED:
                found.setdefault(find_shape(check.output), []).append(f"{mistake.id} in {name}")
    for shape, places in sorted(found.items(), key=lambda each: -len(each[1])):
        yield len(places), shape, places[0]


if __name__ == "__main__":
    for count, message, place in list_shapes(sys.argv[1:] or ASSIGNMENT.stems):
        print(f"{count} times, as by {place}:\n{message}\n")
