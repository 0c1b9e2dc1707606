#!/usr/bin/env python
import argparse

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import tqdm

from utils.gradcheck import gradcheck_naive
from utils.utils import normalizeRows, softmax


def sigmoid(x):
    ### YOUR CODE HERE
    x = np.asarray(x, dtype=float)
    s = np.where(x >= 0, 1 / (1 + np.exp(-np.abs(x))), np.exp(-np.abs(x)) / (1 + np.exp(-np.abs(x))))
    ### END YOUR CODE
    return s


def naive_softmax_loss_and_gradient(center_word_vec, outside_word_idx, outside_vectors, dataset):
    scores = outside_vectors @ center_word_vec
    y_hat = softmax(scores)
    loss = -(scores[outside_word_idx] - scores.max() - np.log(np.exp(scores - scores.max()).sum()))
    y_hat[outside_word_idx] -= 1
    return loss, outside_vectors.T @ y_hat, y_hat[:, None] @ center_word_vec[None, :]


def neg_sampling_loss_and_gradient(center_word_vec, outside_word_idx, outside_vectors, dataset, K=10):
    # draws by itself: the helper of the handout in one line each
    negatives = []
    while len(negatives) < K:
        idx = dataset.sampleTokenIdx()
        if idx != outside_word_idx:
            negatives.append(idx)
    u_o, u_k = outside_vectors[outside_word_idx], outside_vectors[negatives]
    positive, negative = u_o @ center_word_vec, u_k @ center_word_vec

    loss = np.logaddexp(0, -positive) + np.logaddexp(0, negative).sum()
    grad_center_vec = (sigmoid(positive) - 1) * u_o + sigmoid(negative) @ u_k
    grad_outside_vecs = np.zeros_like(outside_vectors)
    grad_outside_vecs[outside_word_idx] = (sigmoid(positive) - 1) * center_word_vec
    np.add.at(grad_outside_vecs, negatives, np.outer(sigmoid(negative), center_word_vec))
    return loss, grad_center_vec, grad_outside_vecs


def skipgram(current_center_word, outside_words, word2ind, center_word_vectors, outside_vectors, dataset,
             word2vec_loss_and_gradient=naive_softmax_loss_and_gradient):
    loss = 0.0
    grad_center_vecs = np.zeros(center_word_vectors.shape)
    grad_outside_vectors = np.zeros(outside_vectors.shape)
    center = word2ind[current_center_word]
    for word in reversed(outside_words):
        word_loss, grad_center, grad_outside = word2vec_loss_and_gradient(
            center_word_vec=center_word_vectors[center],
            outside_word_idx=word2ind[word],
            outside_vectors=outside_vectors,
            dataset=dataset,
        )
        loss += word_loss
        grad_center_vecs[center] += grad_center
        grad_outside_vectors += grad_outside
    return loss, grad_center_vecs, grad_outside_vectors


def test_word2vec():
    plt.plot([1, 2])


if __name__ == "__main__":
    test_word2vec()
