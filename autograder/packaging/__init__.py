"""Packaging: turns the project into autograder.zip, for Gradescope, and handout.zip, for students.

What may leave the staff's folders is decided here and nowhere else.
"""

from autograder.packaging.gradescope_zip import GraderPackage, pack_grader
from autograder.packaging.handout import Handout, pack_handout
from autograder.packaging.tree import Files, PackagingError

__all__ = ["Files", "GraderPackage", "Handout", "PackagingError", "pack_grader", "pack_handout"]
