"""Known wrong answers of conv."""

import numpy as np
from reference.conv import conv2d_backward, conv2d_forward, max_pool_forward, pad, slide

from tests.mistakes import mistake


@mistake(
    "conv2d_forward",
    severity="misconception",
    story="Turns each filter by 180 degrees, as the convolution of mathematics does.",
    hint="Which entry of a window does the first entry of a filter multiply?",
    breaks=["conv2d_forward"],
)
def conv2d_forward_turns_the_filter(x, w, b, stride, padding):
    out, _ = conv2d_forward(x, w[:, :, ::-1, ::-1], b, stride, padding)
    return out, (x, w, b, stride, padding)


@mistake(
    "conv2d_forward",
    severity="slip",
    story="Leaves the bias out.",
    hint="What is your output where x is all zeros?",
    breaks=["conv2d_forward"],
)
def conv2d_forward_without_bias(x, w, b, stride, padding):
    return conv2d_forward(x, w, 0 * b, stride, padding)


@mistake(
    "conv2d_forward",
    severity="slip",
    story="Pads with the entries at the edge in place of zeros.",
    hint="Print a padded image.",
    breaks=["conv2d_forward"],
)
def conv2d_forward_pads_with_the_edge(x, w, b, stride, padding):
    padded = np.pad(x, ((0, 0), (0, 0), (padding, padding), (padding, padding)), mode="edge")
    out, _ = conv2d_forward(padded, w, b, stride, 0)
    return out, (x, w, b, stride, padding)


@mistake(
    "conv2d_forward",
    severity="slip",
    story="Uses the stride for rows alone and moves one by one through the columns.",
    hint="In how many directions does a window move?",
    breaks=["conv2d_forward"],
)
def conv2d_forward_strides_rows_only(x, w, b, stride, padding):
    windows = slide(pad(x, padding), w.shape[2], w.shape[3], 1)[:, :, ::stride]
    return np.einsum("nchwij,fcij->nfhw", windows, w) + b[:, np.newaxis, np.newaxis], (x, w, b, stride, padding)


@mistake(
    "conv2d_forward",
    severity="misconception",
    story="Uses the first channel alone.",
    hint="Over which axes does the sum of one entry of the output run?",
    breaks=["conv2d_forward"],
)
def conv2d_forward_first_channel_only(x, w, b, stride, padding):
    out, _ = conv2d_forward(x[:, :1], w[:, :1], b, stride, padding)
    return out, (x, w, b, stride, padding)


@mistake(
    "conv2d_backward",
    severity="slip",
    story="Returns the gradient of the padded image, without taking the padding off.",
    hint="Compare the shape of your dx with that of x.",
    breaks=["conv2d_backward"],
)
def conv2d_backward_keeps_the_padding(dout, cache):
    x, w, b, stride, padding = cache
    return conv2d_backward(dout, (pad(x, padding), w, b, stride, 0))


@mistake(
    "conv2d_backward",
    severity="misconception",
    story="Moves the window by one in the backward pass, whatever the stride is.",
    hint="Which window of x does each entry of dout belong to?",
    breaks=["conv2d_backward"],
)
def conv2d_backward_ignores_the_stride(dout, cache):
    x, w, _, _, padding = cache
    padded = pad(x, padding)
    dx, dw = np.zeros(padded.shape), np.zeros(w.shape)
    for n, f, h, v in np.ndindex(dout.shape):
        place = (n, slice(None), slice(h, h + w.shape[2]), slice(v, v + w.shape[3]))
        dx[place] += dout[n, f, h, v] * w[f]
        dw[f] += dout[n, f, h, v] * padded[place]
    return dx[:, :, padding : padding + x.shape[2], padding : padding + x.shape[3]], dw, dout.sum(axis=(0, 2, 3))


@mistake(
    "conv2d_backward",
    severity="slip",
    story="Averages the gradient of the bias over the batch.",
    hint="Compare how the images of the batch are combined in each of your gradients.",
    breaks=["conv2d_backward"],
)
def conv2d_backward_averages_the_bias(dout, cache):
    dx, dw, db = conv2d_backward(dout, cache)
    return dx, dw, db / len(dout)


@mistake(
    "conv2d_backward",
    severity="slip",
    story="Turns the filter by 180 degrees although it loops over windows, where no turn is needed.",
    hint="Which entry of a window did the first entry of a filter multiply?",
    breaks=["conv2d_backward"],
)
def conv2d_backward_turns_the_filter(dout, cache):
    x, w, b, stride, padding = cache
    dx, _, _ = conv2d_backward(dout, (x, w[:, :, ::-1, ::-1], b, stride, padding))
    return dx, *conv2d_backward(dout, cache)[1:]


@mistake(
    "conv2d_backward",
    severity="misconception",
    story="Assigns each window of dx where it should add, so that windows that overlap overwrite each other.",
    hint="An entry of x is part of several windows. What happens to the gradients of all but the last?",
    breaks=["conv2d_backward"],
)
def conv2d_backward_overwrites(dout, cache):
    x, w, _, stride, padding = cache
    dx = np.zeros(pad(x, padding).shape)
    for n, _, h, v in np.ndindex(dout.shape):
        rows, columns = slice(stride * h, stride * h + w.shape[2]), slice(stride * v, stride * v + w.shape[3])
        dx[n, :, rows, columns] = np.tensordot(dout[n, :, h, v], w, 1)
    cropped = dx[:, :, padding : padding + x.shape[2], padding : padding + x.shape[3]]
    return cropped, *conv2d_backward(dout, cache)[1:]


@mistake(
    "conv2d_backward",
    severity="misconception",
    story="Starts dw anew for each image, so that only the last image of the batch counts.",
    hint="Call your function with two images, and with each of them alone: what should the sum of dw be?",
    breaks=["conv2d_backward"],
)
def conv2d_backward_last_image_only(dout, cache):
    x, *layer = cache
    dx, _, db = conv2d_backward(dout, cache)
    return dx, conv2d_backward(dout[-1:], (x[-1:], *layer))[1], db


@mistake(
    "conv2d_backward",
    severity="slip",
    story="Computes the size of x from that of dout, so that rows which no window reached are missing in dx.",
    hint="Compare the shape of your dx with that of x where the windows do not fit evenly.",
    breaks=["conv2d_backward"],
)
def conv2d_backward_size_from_dout(dout, cache):
    x, w, _, stride, padding = cache
    rows = (dout.shape[2] - 1) * stride + w.shape[2] - 2 * padding
    columns = (dout.shape[3] - 1) * stride + w.shape[3] - 2 * padding
    dx, dw, db = conv2d_backward(dout, cache)
    return dx[:, :, :rows, :columns], dw, db


@mistake(
    "conv2d_backward",
    severity="slip",
    story="Returns dw before dx.",
    hint="In which order does the caller expect the three gradients?",
    breaks=["conv2d_backward"],
)
def conv2d_backward_filters_first(dout, cache):
    dx, dw, db = conv2d_backward(dout, cache)
    return dw, dx, db


@mistake(
    "max_pool_forward",
    severity="slip",
    story="Starts the search for the largest entry at 0, so that a negative window gives 0.",
    hint="What is your output for a window of negative numbers?",
    breaks=["max_pool_forward"],
)
def max_pool_forward_starts_at_zero(x, height, width, stride):
    out, cache = max_pool_forward(x, height, width, stride)
    return np.maximum(out, 0), cache


@mistake(
    "max_pool_forward",
    severity="misconception",
    story="Takes the mean of each window.",
    hint="Which entry of a window should come out?",
    breaks=["max_pool_forward"],
)
def max_pool_forward_takes_the_mean(x, height, width, stride):
    return slide(x, height, width, stride).mean(axis=(4, 5)), (x, height, width, stride)


@mistake(
    "max_pool_forward",
    severity="slip",
    story="Takes height for width and width for height.",
    hint="Is a window of 2 by 3 two rows high or two columns wide?",
    breaks=["max_pool_forward"],
)
def max_pool_forward_swaps_the_sides(x, height, width, stride):
    return max_pool_forward(x, width, height, stride)[0], (x, height, width, stride)


@mistake(
    "max_pool_backward",
    severity="slip",
    story="Assigns where it should add: an entry that is the largest of several windows gets one gradient only.",
    hint="Which gradient does an entry get that is the largest of two windows?",
    breaks=["max_pool_backward"],
)
def max_pool_backward_overwrites(dout, cache):
    x, height, width, stride = cache
    dx = np.zeros(x.shape)
    for n, c, h, v in np.ndindex(dout.shape):
        window = x[n, c, stride * h : stride * h + height, stride * v : stride * v + width]
        i, j = np.unravel_index(window.argmax(), window.shape)
        dx[n, c, stride * h + i, stride * v + j] = dout[n, c, h, v]
    return dx


@mistake(
    "max_pool_backward",
    severity="misconception",
    story="Gives every entry of a window the whole gradient.",
    hint="How much does the output change when an entry changes that is not the largest?",
    breaks=["max_pool_backward"],
)
def max_pool_backward_to_every_entry(dout, cache):
    x, height, width, stride = cache
    dx = np.zeros(x.shape)
    for n, c, h, v in np.ndindex(dout.shape):
        dx[n, c, stride * h : stride * h + height, stride * v : stride * v + width] += dout[n, c, h, v]
    return dx


@mistake(
    "max_pool_backward",
    severity="misconception",
    story="Takes the place in the window for the place in the image, so that all gradients land in the first window.",
    hint="Is the index that argmax returns one of the window or one of the image?",
    breaks=["max_pool_backward"],
)
def max_pool_backward_without_offset(dout, cache):
    x, height, width, stride = cache
    dx = np.zeros(x.shape)
    for n, c, h, v in np.ndindex(dout.shape):
        window = x[n, c, stride * h : stride * h + height, stride * v : stride * v + width]
        i, j = np.unravel_index(window.argmax(), window.shape)
        dx[n, c, i, j] += dout[n, c, h, v]
    return dx
