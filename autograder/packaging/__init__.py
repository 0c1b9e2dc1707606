"""Packaging: turns an assignment into autograder.zip, for Gradescope, handout.zip, for students, and an image.

Only this package decides which files leave the staff's folders.
"""

from autograder.packaging.gradescope_zip import GraderPackage, add_derived, pack_grader
from autograder.packaging.handout import Handout, pack_handout
from autograder.packaging.tree import Files, PackagingError
