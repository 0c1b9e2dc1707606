"""Known wrong answers of conv."""

from tests.mistakes import mistake_edit

conv2d_forward_turns_the_filter = mistake_edit(
    "conv2d_forward",
    {"windows, w)": "windows, w[:, :, ::-1, ::-1])"},
    story="Turns each filter by 180 degrees, as the convolution of mathematics does.",
    hint="Which entry of a window does the first entry of a filter multiply?",
)

conv2d_forward_without_bias = mistake_edit(
    "conv2d_forward",
    {" + b[:, np.newaxis, np.newaxis]": ""},
    story="Leaves the bias out.",
    hint="What is your output where x is all zeros?",
)

conv2d_forward_pads_with_the_edge = mistake_edit(
    "conv2d_forward",
    {"pad(x, padding)": 'np.pad(x, ((0, 0), (0, 0), (padding, padding), (padding, padding)), mode="edge")'},
    story="Pads with the entries at the edge in place of zeros.",
    hint="Print a padded image.",
)

conv2d_forward_strides_rows_only = mistake_edit(
    "conv2d_forward",
    {"w.shape[3], stride)": "w.shape[3], 1)[:, :, ::stride]"},
    story="Uses the stride for rows alone and moves one by one through the columns.",
    hint="In how many directions does a window move?",
)

conv2d_forward_first_channel_only = mistake_edit(
    "conv2d_forward",
    {"pad(x, padding)": "pad(x[:, :1], padding)", "windows, w)": "windows, w[:, :1])"},
    story="Uses the first channel alone.",
    hint="Over which axes does the sum of one entry of the output run?",
)

conv2d_backward_keeps_the_padding = mistake_edit(
    "conv2d_backward",
    {"dx_pad[:, :, padding : padding + H, padding : padding + W]": "dx_pad"},
    story="Returns the gradient of the padded image, without taking the padding off.",
    hint="Compare the shape of your dx with that of x.",
)

conv2d_backward_ignores_the_stride = mistake_edit(
    "conv2d_backward",
    {
        "height, width, stride)": "height, width, 1)[:, :, :H_out, :W_out]",
        "slice(i, i + stride * H_out, stride)": "slice(i, i + H_out)",
        "slice(j, j + stride * W_out, stride)": "slice(j, j + W_out)",
    },
    story="Moves the window by one in the backward pass, whatever the stride is.",
    hint="Which window of x does each entry of dout belong to?",
)

conv2d_backward_averages_the_bias = mistake_edit(
    "conv2d_backward",
    {"dout.sum(axis=(0, 2, 3))": "dout.sum(axis=(0, 2, 3)) / len(dout)"},
    story="Averages the gradient of the bias over the batch.",
    hint="Compare how the images of the batch are combined in each of your gradients.",
)

conv2d_backward_turns_the_filter = mistake_edit(
    "conv2d_backward",
    {"w[:, :, i, j]": "w[:, :, -1 - i, -1 - j]"},
    story="Turns the filter by 180 degrees although it loops over windows, where no turn is needed.",
    hint="Which entry of a window did the first entry of a filter multiply?",
)

conv2d_backward_overwrites = mistake_edit(
    "conv2d_backward",
    {"columns] += ": "columns] = "},
    story="Assigns each window of dx where it should add, so that windows that overlap overwrite each other.",
    hint="An entry of x is part of several windows. What happens to the gradients of all but the last?",
)

conv2d_backward_last_image_only = mistake_edit(
    "conv2d_backward",
    {'nchwij->fcij", dout, windows)': 'nchwij->fcij", dout[-1:], windows[-1:])'},
    story="Starts dw anew for each image, so that only the last image of the batch counts.",
    hint="Call your function with two images, and with each of them alone: what should the sum of dw be?",
)

conv2d_backward_size_from_dout = mistake_edit(
    "conv2d_backward",
    {
        "H, W = x.shape[2:]": "H, W = (np.array([H_out, W_out]) - 1) * stride + w.shape[2:] - 2 * padding",
    },
    story="Computes the size of x from that of dout, so that rows which no window reached are missing in dx.",
    hint="Compare the shape of your dx with that of x where the windows do not fit evenly.",
)

conv2d_backward_filters_first = mistake_edit(
    "conv2d_backward",
    {"return dx_pad": "return dw, dx_pad", "W], dw, db": "W], db"},
    story="Returns dw before dx.",
    hint="In which order does the caller expect the three gradients?",
)

max_pool_forward_starts_at_zero = mistake_edit(
    "max_pool_forward",
    {".max(axis=(4, 5))": ".max(axis=(4, 5), initial=0)"},
    story="Starts the search for the largest entry at 0, so that a negative window gives 0.",
    hint="What is your output for a window of negative numbers?",
)

max_pool_forward_takes_the_mean = mistake_edit(
    "max_pool_forward",
    {".max(": ".mean("},
    story="Takes the mean of each window.",
    hint="Which entry of a window should come out?",
)

max_pool_forward_swaps_the_sides = mistake_edit(
    "max_pool_forward",
    {"slide(x, height, width,": "slide(x, width, height,"},
    story="Takes height for width and width for height.",
    hint="Is a window of 2 by 3 two rows high or two columns wide?",
)

max_pool_backward_overwrites = mistake_edit(
    "max_pool_backward",
    {
        "np.add.at(dx, (n, c, ": "dx[n, c, ",
        "largest % width), dout)": "largest % width] = dout",
    },
    story="Assigns where it should add: an entry that is the largest of several windows gets one gradient only.",
    hint="Which gradient does an entry get that is the largest of two windows?",
)

max_pool_backward_to_every_entry = mistake_edit(
    "max_pool_backward",
    {
        "np.add.at(dx, (n, c, stride * h + largest // width, stride * w + largest % width), dout)": (
            "for i, j in np.ndindex(height, width):\n        dx[n, c, stride * h + i, stride * w + j] += dout"
        ),
    },
    story="Gives every entry of a window the whole gradient.",
    hint="How much does the output change when an entry changes that is not the largest?",
)

max_pool_backward_without_offset = mistake_edit(
    "max_pool_backward",
    {"stride * h + largest // width, stride * w + largest % width": "largest // width, largest % width"},
    story="Takes the place in the window for the place in the image, so that all gradients land in the first window.",
    hint="Is the index that argmax returns one of the window or one of the image?",
)
