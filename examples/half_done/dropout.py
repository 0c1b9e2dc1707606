import numpy as np


def dropout_scale(p_drop):
    return 1 / (1 - p_drop)


def dropout_forward(h, p_drop, training, rng):
    if training:
        mask = np.ones(h.shape)
        flatMask = mask.reshape(-1)
        for i in range(flatMask.size):
            if rng.random() < p_drop:
                flatMask[i] = 0
    else:
        mask = np.ones(h.shape)
    # the same scale in training and in evaluation
    return dropout_scale(p_drop) * mask * h, mask


def dropout_backward(grad_h_drop, mask, p_drop):
    ### YOUR CODE HERE
    raise NotImplementedError("dropout.dropout_backward is not written yet")
    ### END YOUR CODE
