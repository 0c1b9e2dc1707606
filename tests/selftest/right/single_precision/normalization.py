import numpy as np


def normalizeRows(x):
    x = x.astype(np.float32)
    lengths = np.linalg.norm(x, axis=1, keepdims=True)
    return (x / np.maximum(lengths, np.float32(1e-12))).tolist()
