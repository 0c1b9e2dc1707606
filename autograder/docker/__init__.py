"""Docker: builds the image of the grader and grades a submission in a container of it.

Only the command line uses it; nothing here knows what a check is.
"""

from autograder.docker.engine import EngineError, engine
from autograder.docker.image import build_image
from autograder.docker.run import Conditions, grade_in_container

__all__ = ["Conditions", "EngineError", "build_image", "engine", "grade_in_container"]
