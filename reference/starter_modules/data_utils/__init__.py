"""The folder `data_utils` of older starter codes."""

from _grader_treebank import StanfordSentiment

__all__ = ["StanfordSentiment"]
