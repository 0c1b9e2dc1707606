"""A data set that the grader does not have."""

from _grader_treebank import StanfordSentiment
