"""A question on tokens and sequences from its solution and signatures alone: right and wrong work are told apart."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.selftest.questions.test_new_question import run
from tests.selftest.questions.test_reference_question import copy_seeded_project, read_strength

FOLDER = Path(__file__).with_name("token_functions")
SOLUTION = (FOLDER / "tokens.py").read_text(encoding="utf-8")
# Errors that were written before any case was looked at: a function, and an edit of its text. One of each is graded
# together, so that a function without an error has to keep its points.
ROUNDS = [
    [
        ("attention", " / np.sqrt(Q.shape[1])", ""),
        ("layer_norm", "x.mean(axis=1, keepdims=True)", "x.mean(axis=0, keepdims=True)"),
        ("viterbi", "return path[::-1]", "return path"),
        ("forward_likelihood", "top + np.log(np.exp(scores - top).sum(axis=0))", "top"),
        ("edit_distance", "current = [i]", "current = [0]"),
        ("confusion_matrix", "(labels, predictions), 1)", "(predictions, labels), 1)"),
        ("gru_step", "(1 - z) * n + z * h", "z * n + (1 - z) * h"),
        ("count_ngrams", "len(tokens) - n + 1", "len(tokens) - n"),
        ("pairwise_cosine", "X @ Y.T", "np.abs(X @ Y.T)"),
    ],
    [
        ("attention", "-1e9", "0.0"),
        ("layer_norm", "np.sqrt(var + eps)", "(np.sqrt(var) + eps)"),
        ("viterbi", "best[:, None] + transition", "best[:, None] + transition.T"),
        ("forward_likelihood", "alpha = start + emission", "alpha = emission"),
        ("edit_distance", "(s != t)", "2 * (s != t)"),
        ("confusion_matrix", "np.add.at(counts, (labels, predictions), 1)", "counts[labels, predictions] += 1"),
        ("gru_step", "r * g[:, 2 * H :]", "(r * h) @ U[:, 2 * H :]"),
        ("count_ngrams", "counts.get(key, 0) + 1", "1"),
    ],
    [
        ("attention", "weights.sum(axis=1, keepdims=True)", "weights.sum(axis=0, keepdims=True)"),
        ("layer_norm", "x.var(axis=1, keepdims=True)", "x.var(axis=1, keepdims=True, ddof=1)"),
        ("viterbi", "best = start + emission", "best = emission"),
        ("edit_distance", "range(len(target) + 1)", "range(len(source) + 1)"),
        ("macro_f1", "np.mean(scores)", "np.mean([each for each in scores if each > 0] or [0])"),
        ("pairwise_cosine", "norm(Y, axis=1)[None, :]", "norm(Y)"),
    ],
    [("macro_f1", "if denominator else 0.0", "if denominator else 1.0")],
]


def edit(errors: list[tuple[str, str, str]]) -> str:
    """Write the solution with an error in each of these functions."""
    text = SOLUTION
    for function, right, wrong in errors:
        head, name, rest = text.partition(f"def {function}(")
        assert right in rest.partition("\ndef ")[0]
        text = head + name + rest.replace(right, wrong, 1)
    return text


def list_lost(project: Path, text: str) -> set[str]:
    """List the functions that lose points."""
    (project / "tokens.py").write_text(text, encoding="utf-8")
    done = run(project, "grade", "tokens.py", "--only", "tokens")
    assert done.returncode == 0, done.stderr
    tests = json.loads((project / "results" / "results.json").read_text(encoding="utf-8"))["tests"]
    return {str(re.match(r"\w+", each["name"])[0]) for each in tests if each["score"] < each["max_score"]}  # type: ignore[index]


@pytest.mark.exhaustive
def test_a_question_on_tokens_is_served_by_its_signatures(tmp_path: Path) -> None:
    project = copy_seeded_project(tmp_path)
    listed = ("--reference", str(FOLDER / "tokens.py"), "--signatures", str(FOLDER / "signatures.txt"))
    made = run(project, "new", "question", "tokens", *listed)
    caught, wrong = read_strength(made.stdout)
    assert (caught, wrong) == (200, 200)
    assert list_lost(project, (FOLDER / "other_style.py").read_text(encoding="utf-8")) == set()
    for errors in ROUNDS:
        assert list_lost(project, edit(errors)) == {function for function, _, _ in errors}
