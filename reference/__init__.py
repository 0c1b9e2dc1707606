"""Reference: computes the right values that students' values are compared with, in one module for each question.

Row vectors throughout: a row of a matrix is one word, one example or one parse. The letters of the axes in this folder:

    N    rows of a batch                    V    words in the vocabulary
    D    size of an embedding               K    negative samples
    Dx   size of an input                   Dy   size of an output
    H    hidden units                       C, k classes
    L    layers of a network, the output layer included

Greek letters and hats are spelled out: y_hat are probabilities, v_c the vector of the centre word, u_o and u_k the
outside vectors of the true outside word and of a negative sample, U all outside vectors, one a row. The logarithm is
the natural one.

Each module imports only numpy, because its text also serves as a submission that must get every point.
"""
