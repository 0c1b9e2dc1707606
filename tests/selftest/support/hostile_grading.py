"""Hostile grading: grades a hostile answer like any submission, from its folder to its results.json."""

import hashlib
import json
from pathlib import Path
from typing import Any, NamedTuple

from autograder.grade import GradeRequest, grade
from autograder.results import Visibility
from tests.selftest.support.hostile_attack import Attack, read_tools
from tests.selftest.support.toy_assignment import PROJECT, TOY, reference_text

_SECONDS = 120.0
_PROTECTED = (TOY / "reference", TOY / "tests" / "hidden", PROJECT / "autograder")


class Graded(NamedTuple):
    """The result: the report in a few words, results.json and its size, the output of hidden tests and of all tests."""

    word: str
    results: Any
    size: int
    hidden_output: str
    output: str


def grade_attack(attack: Attack, folder: Path) -> Graded:
    """Grade an attack; questions named after the first get right answers."""
    submission, results = folder / "submission", folder / "results"
    first, *others = attack.fields["question"].split(", ")
    texts = {f"{first}.py": attack.text, "attacker.py": read_tools(), **attack.beside}
    texts.update({f"{question_id}.py": reference_text(question_id) for question_id in others})
    for name, text in texts.items():
        (submission / name).parent.mkdir(parents=True, exist_ok=True)
        (submission / name).write_text(text, encoding="utf-8")
    results.mkdir()
    deadline_s = float(attack.fields.get("seconds", _SECONDS))
    report = grade(GradeRequest(TOY, submission, results, only=(first, *others), deadline_s=deadline_s))
    written = (results / "results.json").read_bytes()
    hidden = "\n".join(check.output for check in report.checks if check.visibility is not Visibility.VISIBLE)
    output = "\n".join(check.output for check in report.checks)
    ends = sorted({f"{check.verdict.value} {check.outcome}" for check in report.checks})
    word = f"{report.score:g} of {report.max_score:g}: {', '.join(ends)}"
    return Graded(word, json.loads(written), len(written), hidden, output)


def hash_protected_files() -> dict[str, str]:
    """Hash every file that determines a grade."""
    paths = sorted(path for folder in _PROTECTED for path in folder.rglob("*.py"))
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}
