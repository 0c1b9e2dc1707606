"""Reference: computes the right values that students' values are compared with, in one module for each question.

The letters of the axes in this folder:

    N    images, or sequences, of a batch   F        filters
    C    channels of an image               HH, WW   height and width of a filter
    H    height of an image; hidden units   W        width of an image
    T    time steps                         D        features of an input
    H_out, W_out   height and width of an output

A gradient of the loss J is named after its variable: dx is dJ/dx. Each module imports only numpy, because its text also
serves as a submission that must get every point.
"""
