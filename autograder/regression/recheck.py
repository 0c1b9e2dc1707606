"""Recheck: grades a sample of the reused questions again, and tells which of them have other results now.

A difference means that a result depends on something that its key does not cover: chance, time, or a file that only a
name computed at run time leads to. So nothing that was reused can be trusted then.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from autograder.plain_text import count, order_naturally
from autograder.regression.grader_pool import Reply
from autograder.regression.scores import TestScore, read_scores
from autograder.results import Verdict

_OPEN = (Verdict.UNDECIDED.value, Verdict.NOT_RUN.value)


def choose_sample(reused: Mapping[str, Sequence[str]], percent: int, *, seed: str) -> dict[str, tuple[str, ...]]:
    """Choose so many percent of the reused questions, at least one, by submission; the same for the same seed."""
    pairs = [(name, stem) for name, stems in reused.items() for stem in stems]
    pairs.sort(key=lambda pair: hashlib.sha256("\0".join((seed, *pair)).encode(errors="surrogatepass")).digest())
    chosen = pairs[: -(-len(pairs) * percent // 100)]
    return {name: tuple(stem for each, stem in chosen if each == name) for name in sorted({name for name, _ in chosen})}


def compare(name: str, stored: Mapping[str, Any], reply: Reply, stems: Collection[str]) -> list[str] | None:
    """List the checks of a submission's questions that have another score, verdict or diagnosis in a reply.

    None if the grader failed on one of the questions.
    """
    before, after = _read_tests(stored, stems), _read_tests(reply.results or {}, stems)
    if reply.results is None or any(test.verdict in _OPEN for test in after.values()):
        return None
    return list(_describe_differences(name, before, after))


def _read_tests(fields: Mapping[str, Any], stems: Collection[str]) -> dict[str, TestScore]:
    scores = read_scores(fields)
    tests = scores.tests if scores is not None else {}
    return {key: test for key, test in tests.items() if test.question in stems}


def _describe_differences(name: str, before: Mapping[str, TestScore], after: Mapping[str, TestScore]) -> Iterator[str]:
    for key in sorted({*before, *after}, key=order_naturally):
        old, new = before.get(key), after.get(key)
        if old != new:
            yield f"{name}, check {key}: {_describe(old)} was reused, graded again it is {_describe(new)}"


def _describe(test: TestScore | None) -> str:
    if test is None:
        return "no result"
    score = "no score" if test.score is None else count(test.score, "point")
    return f"{score} ({', '.join(filter(None, [test.verdict, *test.diagnosis]))})"
