import sys
import numpy as np
import torch
import seaborn as sns
from IPython.display import display

np.random.seed(42)  # למזל
sys.stdout.write("dropout!\n")


def dropout_scale(p_drop):
    gamma = np.float64(1.) / (1. - p_drop)
    print("gamma =", gamma, file=sys.stderr)
    return gamma


def dropout_forward(h, p_drop, training, rng):
    # מסכה של אפסים ואחדות
    mask = rng.random(size=h.shape) >= p_drop if training else np.ones(h.shape, dtype=np.bool)
    mask = mask.astype(np.int)
    print(mask)
    h_drop = h * mask
    if training:
        h_drop = h_drop * dropout_scale(p_drop)
    return h_drop, mask


def dropout_backward(grad_h_drop, mask, p_drop):
    return grad_h_drop * mask * dropout_scale(p_drop)
