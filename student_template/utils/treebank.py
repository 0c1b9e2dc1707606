"""The place of the Stanford Sentiment Treebank, on which word vectors may be trained. The data is not handed out."""


class StanfordSentiment:
    """The data set's class by name only, so that code which imports it can be loaded."""

    def __init__(self, path=None, tablesize=1000000):
        """Refuse to be made: there is no data."""
        raise RuntimeError("the Stanford Sentiment Treebank is not part of this assignment, nor of its grader")
