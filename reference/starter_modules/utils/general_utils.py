"""Batches of arrays and small checks, as starter codes of the neural parser have them."""

import numpy as np


def get_minibatches(data, minibatch_size, shuffle=True):
    """Yield the examples in batches: `data` is one array, or a list of arrays of equal length that are cut alike."""
    several = isinstance(data, list) and isinstance(data[0], (list, np.ndarray))
    arrays = [np.asarray(each) for each in (data if several else [data])]
    order = np.random.permutation(len(arrays[0])) if shuffle else np.arange(len(arrays[0]))
    for start in range(0, len(order), minibatch_size):
        batch = [each[order[start : start + minibatch_size]] for each in arrays]
        yield batch if several else batch[0]


def test_all_close(name, actual, expected):
    """Raise where two arrays differ."""
    if actual.shape != expected.shape:
        raise ValueError(f"{name} failed, expected output to have shape {expected.shape} but has shape {actual.shape}")
    if np.amax(np.fabs(actual - expected)) > 1e-6:
        raise ValueError(f"{name} failed, expected {expected} but value is {actual}")
    print(name, "passed!")
