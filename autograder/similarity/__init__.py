"""Similarity: turns the submissions of a class into a page of the pairs that are closest to each other.

`similarity` is the whole comparison; the other modules are its steps, from syntax tokens to the page.
"""

from autograder.similarity.page import render_page
from autograder.similarity.similarity import Compared, compare_class

__all__ = ["Compared", "compare_class", "render_page"]
