"""Docker: builds the grader's image, and turns a submission into results in a container of it.

Only the command line uses it; this package knows nothing of checks.
"""

from autograder.docker.image import EngineError, build_image, connect_engine, identify_image
from autograder.docker.run import Conditions, choose_conditions, grade_in_container

__all__ = [
    "Conditions",
    "EngineError",
    "build_image",
    "choose_conditions",
    "connect_engine",
    "grade_in_container",
    "identify_image",
]
