"""Right solutions, one module a question: what students' values are compared with.

Row vectors throughout: a row of a matrix is one word, one example or one parse. The letters of the axes in this folder:

    N    rows of a batch                    V    words in the vocabulary
    D    size of an embedding               K    negative samples
    Dx   size of an input                   Dy   size of an output
    H    hidden units                       C, k classes
    L    layers of a network, the output layer included

Greek letters and hats are spelled out: y_hat are probabilities, v_c the vector of the centre word, u_o and u_k the
outside vectors of the true outside word and of a negative sample, U all outside vectors, one a row. The logarithm is
the natural one.

Each module stands alone on numpy, because its text also serves as a submission that must get every point.
"""
