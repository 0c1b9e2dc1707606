"""Transition-based dependency parsing: one sentence step by step (PartialParse), many at a time (minibatch_parse)."""


class PartialParse:
    """The parse of one sentence: its state between the words and the finished tree."""

    def __init__(self, sentence):
        """Start the parse of a sentence.

        Arguments:
            sentence: a list of words. It is kept for bookkeeping: do not change it.

        The state of the parse, to be set up here:
            self.stack: list, the top is the last item; at the start it holds the string "ROOT" alone.
            self.buffer: list of the words not yet shifted, the next word first; at the start all words.
            self.dependencies: list of (head, dependent) tuples; empty at the start.
        """
        self.sentence = sentence
        ### YOUR CODE HERE
        raise NotImplementedError("parser_transitions.PartialParse is not written yet")
        ### END YOUR CODE

    def parse_step(self, transition):
        """Apply one transition to the state.

        Arguments:
            transition: "S" (shift), "LA" (left-arc) or "RA" (right-arc), always a legal one.
                Compare it with ==, not with "is".

        Returns nothing; it changes self.stack, self.buffer and self.dependencies.
        """
        ### YOUR CODE HERE
        raise NotImplementedError("parser_transitions.PartialParse.parse_step is not written yet")
        ### END YOUR CODE

    def parse(self, transitions):
        """Apply several transitions in order.

        Arguments:
            transitions: list of transitions.

        Returns:
            dependencies: the list of (head, dependent) tuples found.
        """
        ### YOUR CODE HERE
        raise NotImplementedError("parser_transitions.PartialParse.parse is not written yet")
        ### END YOUR CODE


def minibatch_parse(sentences, model, batch_size):
    """Parse a list of sentences with a model that decides about many parses at once.

    Arguments:
        sentences: list of sentences, each a list of words, of any lengths. It may be empty. Do not change it.
        model: model.predict(partial_parses) takes a list of 1 to batch_size unfinished PartialParse objects
            and returns a list with one transition for each of them, in the same order.
        batch_size: how many parses the model can take at a time; it may be larger than the number of sentences.

    Returns:
        dependencies: a list with one list of (head, dependent) tuples a sentence, in the order of the sentences.

    A parse is finished when its buffer is empty and its stack holds one item.
    """
    ### YOUR CODE HERE
    raise NotImplementedError("parser_transitions.minibatch_parse is not written yet")
    ### END YOUR CODE


if __name__ == "__main__":  # `python parser_transitions.py` runs the visible checks of this file
    import check

    raise SystemExit(check.run("parser_transitions.py"))
