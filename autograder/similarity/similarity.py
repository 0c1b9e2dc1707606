"""Similarity: compares the submissions of a class by the fingerprints of their syntax.

Starter code is removed: the templates, and the modules that this and earlier years supplied.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from autograder.assignment import Assignment
from autograder.similarity.fingerprints import Answer, Pair, Passage, find_fingerprints, find_pairs
from autograder.similarity.syntax_reader import Part, SyntaxReader
from autograder.similarity.syntax_tokens import list_functions
from autograder.submission import QuestionFiles, Submission

_ANSWERS = ".toml"


@dataclass(frozen=True)
class Compared:
    """The pairs, the closest first, of so many submissions; `left_out`: files that Python cannot parse."""

    pairs: tuple[Pair, ...]
    submissions: int
    left_out: tuple[str, ...]


def compare_class(submissions: Iterable[tuple[str, Submission]], assignment: Assignment) -> Compared:
    """Compare all submissions, given with their names, question by question; SandboxError if no worker starts."""
    answers: dict[str, list[Answer]] = {}
    left_out: list[str] = []
    count = 0
    with SyntaxReader() as reader:
        for name, submission in submissions:
            count += 1
            parts = reader.read(collect_texts(submission.questions))
            left_out += [f"{name}: {path}" for path, found in parts.items() if found is None]
            for files in submission.questions:
                answers.setdefault(files.stem, []).append(Answer(name, _mark_files(files, parts)))
    starter = _mark_starter_code(assignment)
    pairs = [pair for stem, found in answers.items() for pair in find_pairs(stem, found, starter)]
    return Compared(tuple(sorted(pairs, key=lambda pair: -pair.share)), count, tuple(left_out))


def collect_texts(questions: Iterable[QuestionFiles]) -> dict[str, str]:
    """Collect the Python files of questions, by path."""
    sources = (source for files in questions for source in files.sources.values())
    return {path: text for path, text, _ in sources if not path.endswith(_ANSWERS)}


def _mark_files(files: QuestionFiles, parts: Mapping[str, list[Part] | None]) -> dict[int, Passage]:
    passages: dict[int, Passage] = {}
    for path in collect_texts([files]):
        for tokens, lines in parts[path] or ():
            for mark, (first, last) in find_fingerprints(tokens, lines).items():
                passages.setdefault(mark, Passage(path, first, last))
    return passages


def _mark_starter_code(assignment: Assignment) -> set[int]:
    templates = (path.read_text(encoding="utf-8") for path in sorted(assignment.templates.rglob("*.py")))
    texts = [*templates, *(text for text, _ in assignment.starter_modules.values())]
    parts = (part for text in texts for part in list_functions(text))
    return {mark for _, tokens, lines in parts for mark in find_fingerprints(tokens, lines)}
