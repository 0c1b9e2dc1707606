"""Same results: compares the results of submissions in shared workers and alone, except for times and the grader.

Run as `python -m tests.selftest.support.same_results [GROUP ...]` to compare all submissions of all groups, which takes
minutes; the self-tests compare a sample.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from autograder.grader import Grader
from autograder.mistakes import Mistake
from autograder.sandbox import limits
from autograder.submission import Submission, read_submission
from tests.selftest.golden.regenerate import BROKEN, BROKEN_STEMS, EXAMPLES, convert_report
from tests.selftest.second_wordings import load as load_wordings
from tests.selftest.support.carriers import Medium, list_carriers
from tests.selftest.support.grading import ASSIGNMENT, PROJECT, build_submission_source, load

Named = tuple[str, Submission]
_SELFTEST = PROJECT / "tests" / "selftest"
_WITHOUT_WORDINGS = ("written_answers",)  # a formula has one wording


def read_folder(path: Path) -> Submission:
    """Read the questions that have a file in a folder."""
    stems = [files.stem for files in read_submission(path, ASSIGNMENT).questions if files.main is not None]
    return read_submission(path, ASSIGNMENT, only=stems)


def list_styles() -> Iterator[Named]:
    """List the right submissions in many styles."""
    yield from ((path.name, read_folder(path)) for path in sorted((_SELFTEST / "right").iterdir()) if path.is_dir())


def list_examples() -> Iterator[Named]:
    """List the example submissions, of which golden results are recorded."""
    yield from ((name, read_folder(PROJECT / "examples" / name)) for name in EXAMPLES)


def list_broken_uploads() -> Iterator[Named]:
    """List the submissions that fail when they are loaded."""
    for path in sorted((_SELFTEST / BROKEN).iterdir()):
        if path.is_dir():
            yield path.name, read_submission(path, ASSIGNMENT, only=BROKEN_STEMS)


def list_mistakes() -> Iterator[Named]:
    """List the known mistakes, each in a submission of its question."""
    return ((f"{each.stem} {each.id}", _build(each)) for stem in ASSIGNMENT.stems for each in load(stem))


def list_wordings() -> Iterator[Named]:
    """List other people's wordings of the mistakes."""
    wordings = (each for stem in ASSIGNMENT.stems if stem not in _WITHOUT_WORDINGS for each in load_wordings(stem))
    return ((f"{each.stem} {each.code.__name__}", _build(each.as_mistake())) for each in wordings)


def list_hostile_carriers() -> Iterator[Named]:
    """List the carriers of inputs, but for those that look at other processes of the machine."""
    for each in list_carriers():
        if each.medium is not Medium.MACHINE:
            text = each.write(function="normalizeRows")
            yield each.name, Submission.build(ASSIGNMENT, {"normalization": text})


def _build(mistake: Mistake) -> Submission:
    return Submission.build(ASSIGNMENT, {mistake.stem: build_submission_source(mistake)})


GROUPS: Mapping[str, Callable[[], Iterator[Named]]] = {
    "styles": list_styles,
    "examples": list_examples,
    "broken uploads": list_broken_uploads,
    "wordings": list_wordings,
    "carriers": list_hostile_carriers,
    "mistakes": list_mistakes,
}


class Pair:
    """Two graders, one with workers that checks share and one without; a context manager."""

    def __init__(self) -> None:
        self._graders = [Grader(ASSIGNMENT, shares_workers=each) for each in (True, False)]

    def __enter__(self) -> Pair:
        return self

    def __exit__(self, *_: object) -> None:
        for grader in self._graders:
            grader.close()

    def find_differences(self, submission: Submission) -> list[str]:
        """Grade a submission by both, and list what differs in results.json."""
        together, alone = (convert_report(grader.grade(submission)) for grader in self._graders)
        return list(_compare(together, alone))


def _compare(together: Mapping[str, Any], alone: Mapping[str, Any]) -> Iterator[str]:
    if list(together) != list(alone) or len(together["tests"]) != len(alone["tests"]):
        yield "other fields or another number of tests"
    for one, other in zip(together["tests"], alone["tests"], strict=False):
        if one != other:
            yield f"{one['name']}: {one} shared, {other} alone"
    for name in together.keys() - {"tests"}:
        if together[name] != alone.get(name):
            yield f"{name}: {together[name]} shared, {alone.get(name)} alone"


def main() -> int:
    """Compare the groups named, or all; return 1 if any result differs."""
    limits.CPU_S, limits.LOAD_CPU_S = 3, 1
    differing = 0
    with Pair() as pair:
        for group in sys.argv[1:] or GROUPS:
            count = 0
            for name, submission in GROUPS[group]():
                found = pair.find_differences(submission)
                print("".join(f"{group}, {name}: {line}\n" for line in found), end="", flush=True)
                differing += bool(found)
                count += 1
            print(f"{group}: {count} submissions compared", flush=True)
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
