"""Question machine."""


class Machine:
    """A run of the machine on some words; `stack` and `queue` are lists, `joined` the pairs so far."""

    def __init__(self, words):
        ### YOUR CODE HERE
        raise NotImplementedError("Machine is not written yet")
        ### END YOUR CODE

    def step(self, operation):
        """Push the first word of the queue, or join the two topmost words: the upper one is dropped."""
        ### YOUR CODE HERE
        raise NotImplementedError("Machine.step is not written yet")
        ### END YOUR CODE

    def run(self, operations):
        """Take all steps; return the pairs."""
        ### YOUR CODE HERE
        raise NotImplementedError("Machine.run is not written yet")
        ### END YOUR CODE


def run_all(texts, choose):
    """Run a machine for each text until its queue is empty and one word is left; return the pairs of each."""
    ### YOUR CODE HERE
    raise NotImplementedError("machine.run_all is not written yet")
    ### END YOUR CODE
