"""Formats: the table of the platforms whose files of results can be written, by the name that `--format` takes.

A new platform is a module with one function and a line here. Gradescope's own file is what all begin with.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from autograder.gradescope.schema import Results
from autograder.platforms import prairielearn

Emit = Callable[[Results], bytes]

FORMATS: Mapping[str, Emit] = {"gradescope": Results.as_bytes, "prairielearn": prairielearn.emit}
