"""Similarity: turns the submissions of a class into the pairs of answers that are closest, by syntax tokens.

Source: S. Schleimer, D. S. Wilkerson, A. Aiken, "Winnowing: local algorithms for document fingerprinting", SIGMOD 2003.
Of each window of hashes of neighbouring tokens the smallest is kept; equal parts of two texts that are long enough then
have a fingerprint in common. Starter code is removed: the templates, and the modules that this and earlier years
supplied.

Student text is never parsed in this process: a text can crash the parser, or stall it. Each submission has a confined
worker of its own, which loads `syntax_tokens` in the place of a student's module and gets the text as a value. Its
reply is trusted no further than its form.
"""

from __future__ import annotations

import contextlib
import hashlib
import time
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from autograder.assignment import Assignment
from autograder.sandbox.host.client import Worker, Zygote
from autograder.sandbox.host.connection import Ended
from autograder.sandbox.limits import Limits
from autograder.sandbox.protocol import messages
from autograder.similarity import syntax_tokens
from autograder.similarity.syntax_tokens import Part, list_parts
from autograder.submission import QuestionFiles, Submission

# Measured on the independent right styles of tests/selftest/right, without starter code. With 10 tokens two of them
# share 58 % of a question, since a line such as `x / np.sqrt(np.sum(x ** 2, axis=1, keepdims=True))` has about 15; with
# 20 tokens, about two statements, at most 47 %, where one has 19 fingerprints. With 25 tokens and windows of 8, short
# functions have none.
NOISE = 20
WINDOW = 5
# Less is no evidence: of two independent right answers one may have nine fingerprints of the other, where it is short.
LEAST_SHARED = 12
LEAST_SHARE = 0.5  # of the smaller answer; independent right answers share at most 0.3 where they share so many
# What more students have than this was taught or is the obvious way; a copy that is passed on to fewer is still found.
COMMON = 10
COMMON_SHARE = 0.1
_ANSWERS = ".toml"
CPU_S = 3  # to parse all files of a submission; the right answers take 0.1 s
_WALL_S = 3.0 * CPU_S
_WORKERS = 3  # for one submission: files that end their worker, one after another, cost no more
_MODULE = "syntax_tokens"
_SOURCE = Path(syntax_tokens.__file__).read_text(encoding="utf-8")


@dataclass(frozen=True)
class Passage:
    """The lines of a file in which a fingerprint has its tokens, both inclusive."""

    path: str
    first: int
    last: int


@dataclass(frozen=True)
class Answer:
    """One submission's answer to one question: its fingerprints, each with its passage."""

    name: str
    passages: Mapping[int, Passage]


@dataclass(frozen=True)
class Pair:
    """Two answers to one question; `shared`: the fingerprints of both, `share`: their part of the smaller answer."""

    stem: str
    first: Answer
    second: Answer
    shared: frozenset[int]
    share: float


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
    with Zygote() as zygote:
        for name, submission in submissions:
            count += 1
            parts = read_syntax(zygote, collect_texts(submission.questions))
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
    return {mark for text in texts for part in list_parts(text) for mark in find_fingerprints(*part)}


def find_pairs(stem: str, answers: Sequence[Answer], starter: Collection[int]) -> list[Pair]:
    """Find the pairs that share much, the closest first; `starter`: fingerprints of code that all received."""
    kept = list(_drop_common(answers, starter))
    holders: dict[int, list[int]] = defaultdict(list)
    for position, answer in enumerate(kept):
        for mark in answer.passages:
            holders[mark].append(position)
    counts = Counter(pair for positions in holders.values() for pair in combinations(positions, 2))
    pairs = [_build_pair(stem, kept[one], kept[other]) for (one, other), n in counts.items() if n >= LEAST_SHARED]
    close = [pair for pair in pairs if pair.share >= LEAST_SHARE]
    return sorted(close, key=lambda pair: (-pair.share, -len(pair.shared), pair.first.name, pair.second.name))


def _drop_common(answers: Sequence[Answer], starter: Collection[int]) -> Iterator[Answer]:
    counts = Counter(mark for answer in answers for mark in answer.passages)
    most = max(COMMON, COMMON_SHARE * len(answers))
    for answer in answers:
        own = {mark: at for mark, at in answer.passages.items() if mark not in starter and counts[mark] <= most}
        yield Answer(answer.name, own)


def _build_pair(stem: str, first: Answer, second: Answer) -> Pair:
    shared = frozenset(first.passages.keys() & second.passages.keys())
    return Pair(stem, first, second, shared, len(shared) / min(len(first.passages), len(second.passages)))


def find_fingerprints(tokens: Sequence[str], lines: Sequence[int]) -> dict[int, tuple[int, int]]:
    """Find the fingerprints of a sequence, each with the first and the last line of its first place.

    A match of fewer than NOISE tokens is never found, one of NOISE + WINDOW - 1 tokens always.
    """
    hashes = [_hash(tokens[start : start + NOISE]) for start in range(len(tokens) - NOISE + 1)]
    found: dict[int, tuple[int, int]] = {}
    for position in _choose(hashes):
        covered = lines[position : position + NOISE]
        found.setdefault(hashes[position], (min(covered), max(covered)))
    return found


def _choose(hashes: Sequence[int]) -> Iterator[int]:
    """Yield the position of the smallest hash of each window, the last of equal ones, once."""
    before = -1
    for start in range(max(1, len(hashes) - WINDOW + 1) if hashes else 0):
        window = range(start, min(start + WINDOW, len(hashes)))
        position = min(window, key=lambda each: (hashes[each], -each))
        if position != before:
            yield position
            before = position


def _hash(tokens: Sequence[str]) -> int:
    digest = hashlib.blake2b("\0".join(tokens).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big")
