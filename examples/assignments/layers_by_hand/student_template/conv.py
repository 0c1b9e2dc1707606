"""A convolutional layer and max pooling, forward and backward.

Images are arrays (N, C, H, W): N images with C channels of H rows and W columns. A cache is whatever you want to hand
from a forward pass to its backward pass, in any form; nobody else reads it.
"""

import numpy as np  # noqa: F401  (for your code)


def conv2d_forward(x, w, b, stride, padding):
    """A convolutional layer. The filters are not flipped (a cross-correlation), as in all libraries.

    Arguments:
        x: (N, C, H, W) images.
        w: (F, C, HH, WW) filters.
        b: (F,) biases, one for each filter.
        stride: by how many rows, and by how many columns, the window moves; at least 1.
        padding: how many rows and columns of zeros are put on each side of an image; at least 0.

    Returns:
        out: (N, F, H_out, W_out) with H_out = (H + 2 * padding - HH) // stride + 1, and W_out likewise. Rows and
            columns that no window reaches do not count.
        cache: anything; your conv2d_backward gets it.
    """
    ### YOUR CODE HERE
    raise NotImplementedError("conv.conv2d_forward is not written yet")
    ### END YOUR CODE


def conv2d_backward(dout, cache):
    """The gradients of the convolutional layer.

    Arguments:
        dout: (N, F, H_out, W_out) gradient of a loss with respect to out.
        cache: what your conv2d_forward returned.

    Returns:
        dx: (N, C, H, W), dw: (F, C, HH, WW), db: (F,), as a tuple: sums over the batch, not means.
    """
    ### YOUR CODE HERE
    raise NotImplementedError("conv.conv2d_backward is not written yet")
    ### END YOUR CODE


def max_pool_forward(x, height, width, stride):
    """The largest entry of each window.

    Arguments:
        x: (N, C, H, W) images.
        height, width: the rows and the columns of a window.
        stride: by how many rows, and by how many columns, the window moves; windows may overlap.

    Returns:
        out: (N, C, H_out, W_out) with H_out = (H - height) // stride + 1, and W_out likewise.
        cache: anything; your max_pool_backward gets it.
    """
    ### YOUR CODE HERE
    raise NotImplementedError("conv.max_pool_forward is not written yet")
    ### END YOUR CODE


def max_pool_backward(dout, cache):
    """The gradient of the pooling. No window that is graded has two largest entries.

    Arguments:
        dout: (N, C, H_out, W_out) gradient of a loss with respect to out.
        cache: what your max_pool_forward returned.

    Returns:
        dx: (N, C, H, W).
    """
    ### YOUR CODE HERE
    raise NotImplementedError("conv.max_pool_backward is not written yet")
    ### END YOUR CODE
