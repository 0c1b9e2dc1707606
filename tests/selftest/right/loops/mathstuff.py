"""Linear algebra by hand. I wanted to see every multiplication, so: lists, loops and the math module."""

import math


def dot(a, b):
    total = 0.0
    for p, q in zip(a, b):
        total += float(p) * float(q)
    return total


def logistic(z):
    if z >= 0:
        return 1.0 / (1.0 + math.exp(-z))
    small = math.exp(z)
    return small / (1.0 + small)


def minus_log_logistic(z):
    """-log(logistic(z))"""
    if z >= 0:
        return math.log1p(math.exp(-z))
    return math.log1p(math.exp(z)) - z


def log_probabilities(scores):
    biggest = float(max(scores))
    total = math.fsum(math.exp(float(s) - biggest) for s in scores)
    return [float(s) - biggest - math.log(total) for s in scores]
