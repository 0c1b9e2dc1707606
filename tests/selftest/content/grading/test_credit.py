"""No credit without work: wrong submissions that once earned points by the grader's functions, with their points now.

Each is code behind the right solution of a question.
"""

import textwrap
from collections import Counter

import pytest

from tests.selftest.support.grading import checks_of, reference_text

pytestmark = [pytest.mark.content, pytest.mark.once, pytest.mark.ci]

# The question, the code, and the points that remain of each function of which it costs some.
ATTACKS: dict[str, tuple[str, str, dict[str, float]]] = {
    "naive softmax through the default of skipgram": (
        "word2vec",
        """
        def naiveSoftmaxLossAndGradient(centerWordVec, outsideWordIdx, outsideVectors, dataset):
            center = np.asarray(centerWordVec).reshape(1, -1)
            words = {"center": 0, "outside": outsideWordIdx}
            loss, of_center, of_outside = skipgram(
                "center", 1, ["outside"], words, center, outsideVectors, dataset
            )
            return loss, of_center[0], of_outside
        skipgram.__defaults__ = (naiveSoftmaxLossAndGradient,)
        """,
        {"naiveSoftmaxLossAndGradient": 0},
    ),
    "negative samples that are the target": (
        "word2vec",
        "def getNegativeSamples(outsideWordIdx, dataset, K): return [outsideWordIdx] * K",
        {"negSamplingLossAndGradient": 0},  # a right gradient, but of another loss
    ),
    "Adam through a corrected step that is not written": (
        "adam",
        """
        def adam_step_corrected(*_, **__): raise NotImplementedError
        def adam_step(theta, grad, m, v, learning_rate, beta1=0.9, beta2=0.999):
            return adam_step_corrected(theta, grad, m, v, 10**9, learning_rate, beta1, beta2, 0.0)
        """,
        {"adam_step": 0, "adam_step_corrected": 0},
    ),
    "a step that is a parse of one step": (
        "parser_transitions",
        """
        def parse_step(self, transition): self.parse([transition])
        PartialParse.parse_step = parse_step
        """,
        {"PartialParse.parse_step": 0},
    ),
    "a parse that empties the sentence of its caller": (
        "parser_transitions",
        """
        def __init__(self, sentence):
            self.sentence, self.stack, self.dependencies = sentence, ['ROOT'], []
            self.buffer = list(sentence)
            sentence.clear()
        PartialParse.__init__ = __init__
        """,
        {"PartialParse": 2.11},
    ),
    "a minibatch that empties the sentences": (
        "parser_transitions",
        """
        right_parse = minibatch_parse
        def minibatch_parse(sentences, model, batch_size):
            parsed = right_parse(sentences, model, batch_size)
            for each in sentences: each.clear()
            return parsed
        """,
        {"minibatch_parse": 8.4},
    ),
    "a function that reads the code of its sibling": (
        "dropout",
        """
        right_forward = dropout_forward
        def dropout_scale(p_drop): raise NotImplementedError
        known = dropout_scale.__code__
        def dropout_forward(h, p_drop, training, rng):
            return right_forward(h, p_drop, training, rng) if dropout_scale.__code__ != known else (h, h)
        """,
        {"dropout_scale": 0},
    ),
    "a function that tries its sibling": (
        "dropout",
        """
        right_forward = dropout_forward
        def dropout_scale(p_drop): raise NotImplementedError
        def dropout_forward(h, p_drop, training, rng):
            try: dropout_scale(0.5)
            except NotImplementedError: return h, h
            return right_forward(h, p_drop, training, rng)
        """,
        {"dropout_scale": 0},
    ),
}


@pytest.mark.usefixtures("no_names")
@pytest.mark.parametrize(("question_id", "code", "points"), ATTACKS.values(), ids=ATTACKS)
def test_points_of_an_attack(question_id: str, code: str, points: dict[str, float]) -> None:
    earned: Counter[str] = Counter()
    given: Counter[str] = Counter()
    for check in checks_of(question_id, f"{reference_text(question_id)}\n\n{textwrap.dedent(code)}").values():
        earned.update(dict.fromkeys(check.functions, check.score or 0))
        given.update(dict.fromkeys(check.functions, check.points))
    assert {name: earned[name] for name in given if earned[name] < given[name]} == points
