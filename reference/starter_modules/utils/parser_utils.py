"""Training tools of the neural parser's starter codes, as far as they work without data."""

import numpy as np
from _grader_data import load_and_preprocess_data


class AverageMeter:
    """The running average of a value."""

    def __init__(self):
        self.reset()

    def reset(self):
        """Start anew."""
        self.val = self.avg = self.sum = self.count = 0

    def update(self, val, n=1):
        """Count a value n times."""
        self.val = val
        self.sum += val * n
        self.count += n
        self.avg = self.sum / self.count


def minibatches(data, batch_size):
    """Yield (features, one-hot labels of three transitions) of training examples in random batches."""
    features, labels = np.array([each[0] for each in data]), np.array([each[2] for each in data])
    one_hot = np.eye(3)[labels]
    order = np.random.permutation(len(data))
    for start in range(0, len(order), batch_size):
        batch = order[start : start + batch_size]
        yield [features[batch], one_hot[batch]]
