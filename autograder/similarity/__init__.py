"""Similarity: turns the submissions of a class into a page of the pairs that are closest to each other.

`similarity` is the whole comparison; the other modules are its steps, from syntax tokens to the page.
"""
