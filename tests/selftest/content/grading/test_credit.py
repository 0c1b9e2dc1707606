"""No credit without work: wrong submissions that once earned points by the grader's functions, with their points now.

Each is code behind the right solution of a question.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple

import pytest

from autograder.grading.follow_through import CheckTries
from tests.selftest.support.grading import checks_of, reference_text

pytestmark = [pytest.mark.content, pytest.mark.once, pytest.mark.ci]


class CreditAttack(NamedTuple):
    """Code, and the points that remain of each function of which it costs some."""

    question_id: str
    code: str
    points: Mapping[str, float]


THROUGH_SKIPGRAM = """
def naiveSoftmaxLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset):
    center = np.asarray(centerWordVec).reshape(1, -1)
    words = {"center": 0, "outside": outsideWordIdx}
    loss, of_center, of_outside = skipgram(
        "center", 1, ["outside"], words, center, outsideVectors, dataset
    )
    return loss, of_center[0], of_outside
skipgram.__defaults__ = (naiveSoftmaxLossAndGradient,)
"""
ATTACKS: Mapping[str, CreditAttack] = {
    "naive softmax through the default of skipgram": CreditAttack(
        "word2vec", THROUGH_SKIPGRAM, {"naiveSoftmaxLossAndGradient": 0}
    ),
    "negative samples that are the target": CreditAttack(
        "word2vec",
        "def getNegativeSamples(outsideWordIdx, dataset, K): return [outsideWordIdx] * K\n",
        {"negSamplingLossAndGradient": 0},  # a right gradient, but of another loss
    ),
    "Adam through a corrected step that is not written": CreditAttack(
        "adam",
        "def adam_step_corrected(*_, **__): raise NotImplementedError\n"
        "def adam_step(theta, grad, m, v, learning_rate, beta1=0.9, beta2=0.999):\n"
        "    return adam_step_corrected(theta, grad, m, v, 10**9, learning_rate, beta1, beta2, 0.0)\n",
        {"adam_step": 0, "adam_step_corrected": 0},
    ),
    "a step that is a parse of one step": CreditAttack(
        "parser_transitions",
        "def parse_step(self, transition): self.parse([transition])\nPartialParse.parse_step = parse_step\n",
        {"PartialParse.parse_step": 0},
    ),
    "a parse that empties the sentence of its caller": CreditAttack(
        "parser_transitions",
        "def __init__(self, sentence):\n    self.sentence, self.stack, self.dependencies = sentence, ['ROOT'], []\n"
        "    self.buffer = list(sentence)\n    sentence.clear()\n"
        "PartialParse.__init__ = __init__\n",
        {"PartialParse": 2.11},
    ),
    "a minibatch that empties the sentences": CreditAttack(
        "parser_transitions",
        "right_parse = minibatch_parse\n"
        "def minibatch_parse(sentences, model, batch_size):\n"
        "    parsed = right_parse(sentences, model, batch_size)\n"
        "    for each in sentences: each.clear()\n    return parsed\n",
        {"minibatch_parse": 8.4},
    ),
    "a function that reads the code of its sibling": CreditAttack(
        "dropout",
        "right_forward = dropout_forward\n"
        "def dropout_scale(p_drop): raise NotImplementedError\n"
        "known = dropout_scale.__code__\n"
        "def dropout_forward(h, p_drop, training, rng):\n"
        "    return right_forward(h, p_drop, training, rng) if dropout_scale.__code__ != known else (h, h)\n",
        {"dropout_scale": 0},
    ),
    "a function that tries its sibling": CreditAttack(
        "dropout",
        "right_forward = dropout_forward\n"
        "def dropout_scale(p_drop): raise NotImplementedError\n"
        "def dropout_forward(h, p_drop, training, rng):\n"
        "    try: dropout_scale(0.5)\n    except NotImplementedError: return h, h\n"
        "    return right_forward(h, p_drop, training, rng)\n",
        {"dropout_scale": 0},
    ),
}


# Attacks that earned points where any function was a prerequisite of any other, and the points of the question then.
def grade(attack: CreditAttack) -> tuple[dict[str, float], float]:
    """Return the points of each function that lost some, and those of the question."""
    points: defaultdict[str, float] = defaultdict(float)
    lost: defaultdict[str, float] = defaultdict(float)
    for check in checks_of(attack.question_id, f"{reference_text(attack.question_id)}\n\n{attack.code}").values():
        for name in check.functions:
            points[name] += check.score or 0
            lost[name] += check.points - (check.score or 0)
    return {name: points[name] for name in points if lost[name]}, sum(points.values())


@pytest.mark.usefixtures("no_names")
@pytest.mark.parametrize("name", ATTACKS)
def test_points_of_an_attack(name: str) -> None:
    assert grade(ATTACKS[name])[0] == ATTACKS[name].points


ASKS = """
right_forward = dropout_forward
def dropout_scale(p_drop): raise NotImplementedError
def dropout_forward(h, p_drop, training, rng):
    try: answer = dropout_scale(0.123)
    except NotImplementedError: answer = "none"
    print("asked", answer)
    END
"""
DIGITS = str(1 / (1 - 0.123))[2:8]


@pytest.mark.parametrize(
    "end",
    ["raise ValueError(answer)", "return h, str(answer)", "raise type('A' + str(answer)[2:8], (Exception,), {})"],
    ids=["by the text of an error", "by a value of the wrong kind", "by the class of an error"],
)
def test_no_answer_of_the_graders_function_is_shown(end: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def show() -> str:
        checks = checks_of("dropout", f"{reference_text('dropout')}\n{ASKS.replace('END', end)}")
        return "\n".join(check.output for check in checks.values())

    assert DIGITS not in show()
    monkeypatch.setattr(CheckTries, "choose", lambda _check, _alone, followed: followed)
    assert DIGITS in show()
