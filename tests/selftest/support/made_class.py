"""Made class: writes a class of submissions as a Gradescope export, from right solutions and known mistakes.

Everything is drawn from a seed, and the planted kinds are returned, so that a test knows whose score has to change.
"""

import json
import random
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from autograder.assignment import Assignment
from autograder.mistakes import MistakeBank
from tests.selftest.support.toy_assignment import BANK

METADATA = "submission_metadata.yml"
FIRST_ID = 48_000_001
GIVEN = ("Ann", "Björn", "Chiara", "Dmitri", "Elif", "Fatou", "Georg", "Hồng", "Inés", "Jun", "Kwame", "Li")
FAMILY = (
    "O'Hara",
    "Müller",
    "van der Berg",
    "Nguyễn",
    "García López",
    "Smith",
    "Ōe",
    "Iversen",
    "<b>Bold</b>",
    'D"Arcy',
)
RIGHT, STUB, MISSING = "right", "stub", "missing"


class Made(NamedTuple):
    """One submission: the name of its folder, and for each id RIGHT, STUB, MISSING or a mistake's id."""

    name: str
    planted: Mapping[str, str]


def list_code_ids(assignment: Assignment) -> tuple[str, ...]:
    """List the questions whose answers are Python files."""
    return tuple(each.question_id for each in assignment.questions if each.files[0].endswith(".py"))


def make_export(
    folder: Path, size: int, *, question_ids: Sequence[str] = (), seed: int = 1, known: MistakeBank = BANK
) -> list[Made]:
    """Write an export of `size` submissions into a new folder; by default, of all questions of code of the toy."""
    question_ids = question_ids or list_code_ids(known.assignment)
    draw = random.Random(seed)
    folder.mkdir(parents=True)
    bank = {question_id: known.load(question_id) for question_id in question_ids}
    made = []
    for number in range(size):
        name = f"submission_{FIRST_ID + number}"
        planted = {
            question_id: _draw_kind(draw, [each.id for each in bank[question_id]]) for question_id in question_ids
        }
        texts = {
            question_id: _build_source(question_id, kind, known)
            for question_id, kind in planted.items()
            if kind != MISSING
        }
        _write_submission(folder / name / draw.choice(["", "hw2", "hw2/code"]), texts)
        made.append(Made(name, planted))
    _write_junk(folder)
    (folder / METADATA).write_text(_build_metadata(made, draw), encoding="utf-8")
    return made


def pack(folder: Path, path: Path) -> None:
    """Write a folder as a zip, with the folder in it, as Gradescope does."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                packed.write(file, f"{folder.name}/{file.relative_to(folder)}")


def publish(folder: Path, results: Path, *, wrong: int) -> list[str]:
    """Write a run's scores into an export as if Gradescope had published them, the first `wrong` of them too high."""
    lines = []
    moved = []
    for line in (folder / METADATA).read_text(encoding="utf-8").splitlines():
        lines.append(line)
        name = line.removesuffix(":")
        path = results / f"{name}.json"
        if path.exists():
            fields = json.loads(path.read_text())
            del fields["extra_data"]["regression"]  # of a class run, not of Gradescope
            moved += [name] if len(moved) < wrong else []
            fields["score"] += 1.0 if name in moved else 0.0
            fields["tests"][0]["score"] += 1.0 if name in moved else 0.0
            lines += [f"  :score: {fields['score']}", f"  :results: {json.dumps(fields)}"]
    text = "\n".join(line for line in lines if line != "  :score:")
    (folder / METADATA).write_text(text + "\n", encoding="utf-8")
    return moved


def _draw_kind(draw: random.Random, wrong: Sequence[str]) -> str:
    kind = draw.choices([RIGHT, "mistake", STUB, MISSING], [55, 33, 7, 5])[0]
    return draw.choice(wrong) if kind == "mistake" else kind


def _write_submission(folder: Path, texts: Mapping[str, str]) -> None:
    folder.mkdir(parents=True)
    (folder / "README.txt").write_text("My homework.\n")
    for question_id, text in texts.items():
        (folder / f"{question_id}.py").write_text(text, encoding="utf-8")


def _build_source(question_id: str, kind: str, known: MistakeBank) -> str:
    if kind == RIGHT:
        return known.read_right_source(question_id)
    if kind == STUB:
        return (known.assignment.templates / f"{question_id}.py").read_text(encoding="utf-8")
    return known.build_submission_source(next(each for each in known.load(question_id) if each.id == kind))


def _write_junk(folder: Path) -> None:
    (folder / "__MACOSX").mkdir()
    (folder / "__MACOSX" / "._submission_1").write_bytes(b"\0\5\26\7")
    (folder / ".DS_Store").write_bytes(b"\0\0\0\1Bud1")
    (folder / "grades.csv").write_text("name,score\n")


def _build_metadata(made: Sequence[Made], draw: random.Random) -> str:
    """Build YAML as Ruby writes it: symbols as keys, some groups of two, some persons without sid or email."""
    lines = ["---"]
    for number, each in enumerate(made):
        lines += [f"{each.name}:", "  :submitters:"]
        for member in range(draw.choice([1, 1, 1, 2])):
            name = f"{draw.choice(GIVEN)} {draw.choice(FAMILY)}"
            lines.append(f"  - :name: {json.dumps(name, ensure_ascii=False)}")
            lines.append(f"    :sid: '{30_000_000 + 2 * number + member:08}'" if draw.random() < 0.9 else "    :sid:")
            lines += [f"    :email: student{number}.{member}@university.example"] if draw.random() < 0.9 else []
        lines += ["  :created_at: 2026-10-05 21:58:12.123456000 Z", "  :score:", "  :status: processed"]
        lines += ["  :history:", "  - :id: 7", "    :created_at: 2026-10-04 10:00:00.000000000 Z", "    :score: 0.0"]
    return "\n".join(lines) + "\n"
