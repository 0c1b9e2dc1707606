import numpy as np

from helpers.gradcheck import grad_tests_negsamp, grad_tests_softmax, gradcheck_naive
from helpers.utils import softmax


def sigmoid(x):
    # np.logaddexp(0, -x) = log(1 + e^-x), no overflow in there
    return np.exp(-np.logaddexp(0, -x))


def normalize_rows(x):
    """ Rows of unit length """
    length = np.linalg.norm(x, axis=1)
    length[length == 0] = 1
    return (x.T / length).T


def naive_softmax_loss_and_gradient(center_word_vec, outside_word_idx, outside_vectors, dataset):
    scores = outside_vectors @ center_word_vec
    # softmax() of the helpers works in place, the scores are needed again
    y_hat = softmax(scores.copy())
    loss = np.logaddexp.reduce(scores) - scores[outside_word_idx]
    y_hat[outside_word_idx] -= 1
    grad_center_vec = outside_vectors.T @ y_hat
    grad_outside_vecs = y_hat[:, None] @ center_word_vec[None, :]
    return loss, grad_center_vec, grad_outside_vecs


def get_negative_samples(outside_word_idx, dataset, k):
    drawn = []
    for _ in range(k):
        drawn.append(dataset.sample_token_idx())
        while drawn[-1] == outside_word_idx:
            drawn[-1] = dataset.sample_token_idx()
    return drawn


def neg_sampling_loss_and_gradient(center_word_vec, outside_word_idx, outside_vectors, dataset, k=10):
    negatives = get_negative_samples(outside_word_idx, dataset, k)
    indices = [outside_word_idx] + negatives

    u_o, u_k = outside_vectors[indices[0]], outside_vectors[indices[1:]]
    pos, neg = u_o @ center_word_vec, u_k @ center_word_vec
    loss = np.logaddexp(0, -pos) + np.logaddexp(0, neg).sum()

    grad_center_vec = -sigmoid(-pos) * u_o + sigmoid(neg) @ u_k
    grad_outside_vecs = np.zeros_like(outside_vectors)
    grad_outside_vecs[outside_word_idx] = -sigmoid(-pos) * center_word_vec
    for idx, times in zip(*np.unique(negatives, return_counts=True)):
        grad_outside_vecs[idx] = times * sigmoid(outside_vectors[idx] @ center_word_vec) * center_word_vec
    return loss, grad_center_vec, grad_outside_vecs


def skipgram(current_center_word, outside_words, word2ind, center_word_vectors, outside_vectors, dataset,
             word2vec_loss_and_gradient=naive_softmax_loss_and_gradient):
    loss = 0.0
    grad_center_vecs = np.zeros(center_word_vectors.shape)
    grad_outside_vectors = np.zeros(outside_vectors.shape)

    center_idx = word2ind[current_center_word]
    for word in outside_words:
        l, g_center, g_outside = word2vec_loss_and_gradient(
            center_word_vec=center_word_vectors[center_idx], outside_word_idx=word2ind[word],
            outside_vectors=outside_vectors, dataset=dataset)
        loss += l
        grad_center_vecs[center_idx] += g_center
        grad_outside_vectors += g_outside
    return loss, grad_center_vecs, grad_outside_vectors


def check_rows():
    assert np.allclose(normalize_rows(np.array([[8.0, 15.0]])), [[8 / 17, 15 / 17]])
    print("rows are fine")


if __name__ == "__main__":
    check_rows()
