"""Gradebooks: the table of the gradebooks, by the name that `--grades` takes. A new one is a module and a line here."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from autograder.regression import canvas, moodle
from autograder.regression.summary import Summary

FORMATS: Mapping[str, Callable[[Summary], str]] = {"canvas": canvas.build, "moodle": moodle.build}
