"""Platforms: turns Gradescope's results of one submission into the file that another platform reads.

One module for each platform; `formats` is the table of them.
"""

from autograder.platforms.formats import FORMATS

__all__ = ["FORMATS"]
