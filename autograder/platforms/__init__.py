"""Platforms: turns Gradescope's results of one submission into the file that another platform reads.

One module for each platform; `formats` is the table of them. `exit_status` is for platforms that read no file.
"""

from autograder.platforms.exit_status import describe_for_student, has_all_points
from autograder.platforms.formats import FORMATS

__all__ = ["FORMATS", "describe_for_student", "has_all_points"]
