"""Multiply large matrices after the fork, which hangs if numpy had started threads before it.

id: G17
kind: resource
stopped by: one thread for numpy, set before numpy is loaded
outcome: one thread
no control: whether a fork hangs is random
"""

import os

import numpy as np


def attack(target):
    product = np.ones((300, 300)) @ np.ones((300, 300))
    threads = {os.environ.get(name) for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")}
    return "one thread" if threads == {"1"} and product[0, 0] == 300 else "others"
