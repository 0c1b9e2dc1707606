"""A student reads why a function of a test refused a call, of a hidden test too, and no sampling goes on for ever."""

import pytest

from autograder.results import Visibility
from tests.selftest.support.grading import build_submission_source, checks_of, load, reference_text

pytestmark = [pytest.mark.content, pytest.mark.once, pytest.mark.ci]


WAITS_FOR_DIFFERENT_WORDS = """
def getNegativeSamples(outsideWordIdx, dataset, K):
    words = set()
    while len(words) < K:
        word = dataset.sampleTokenIdx()
        if word != outsideWordIdx:
            words.add(word)
    return list(words)
"""


def read_output(question_id: str, mistake_id: str, test: str) -> str:
    """Return what a student reads of a hidden test that a known mistake fails."""
    (mistake,) = [each for each in load(question_id) if each.id == mistake_id]
    check = checks_of(question_id, build_submission_source(mistake))[test]
    assert check.visibility is Visibility.AFTER_DUE_DATE
    return check.output


@pytest.mark.parametrize(
    ("mistake_id", "reason"),
    [
        ("minibatch_parse_ignores_batch_size", "predict was called with more parses than batch_size"),
        ("minibatch_parse_removes_while_looping", "the call raised RuntimeError: predict got a parse that is finished"),
    ],
)
def test_the_reason_of_a_refusal_is_shown_by_a_hidden_test(mistake_id: str, reason: str) -> None:
    output = read_output("parser_transitions", mistake_id, "test_minibatch_parse_everywhere")
    assert f"  found:    {reason}" in output


def test_sampling_that_waits_for_other_words_is_refused() -> None:
    text = f"{reference_text('word2vec')}\n\n{WAITS_FOR_DIFFERENT_WORDS}"
    output = checks_of("word2vec", text)["test_neg_sampling_everywhere"].output
    assert "RuntimeError: sampleTokenIdx was called again and again: the sampling does not end" in output


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("raise ValueError('predict was called with no parses')", "ValueError"),
        ("raise RuntimeError(str(sentences))", "RuntimeError"),
        ("model.predict(**{sentences[0][0]: 1})", "TypeError"),
    ],
    ids=["a text of the test's", "an input", "a keyword"],
)
def test_a_hidden_test_shows_no_text_that_only_student_code_has_written(body: str, kind: str) -> None:
    wrong = f"def minibatch_parse(sentences, model, batch_size):\n    {body}\n"
    text = f"{reference_text('parser_transitions')}\n\n{wrong}"
    output = checks_of("parser_transitions", text)["test_minibatch_parse_everywhere"].output
    assert output.startswith(f"FAIL Your function gave no value.\n  found:    a {kind}\n  where:")
