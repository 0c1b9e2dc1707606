"""Toy question: turns source texts into submissions of a small invented question, for tests of proxy and judge."""

import inspect
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from autograder.assignment import Assignment, Function, Question, Variant
from autograder.grading.hidden_test import HiddenTest
from autograder.grading.material import Material
from autograder.results import Visibility
from autograder.submission import QuestionFiles, SourceFile
from tests.selftest.support import toy_shapes

REFERENCE = inspect.getsource(toy_shapes)

FUNCTIONS = ("Pile", "Pile.push", "Pile.push_all", "double", "area", "volume", "doubled_volume")
OTHER_YEAR = Variant("other_year", ("twice",), {"double": "twice", "area": "surface"}, {"area": (0,)})
_FUNCTIONS = tuple(Function(name, (), ("result",)) for name in FUNCTIONS)
QUESTION = Question("shapes", "Shapes", 10.0, ("shapes.py",), _FUNCTIONS, (OTHER_YEAR,))
ASSIGNMENT = Assignment(Path(), "Toy", (QUESTION,))


def hidden_test(*functions: str, **changes: Any) -> HiddenTest:
    """Describe a visible test of these functions, worth two points."""
    fields = {
        "test_id": f"test_shapes.py::test_{functions[0]}",
        "question_id": "shapes",
        "functions": functions,
        "title": f"{functions[0]}: a test",
        "number": "1.1",
        "points": 2.0,
        "visibility": Visibility.VISIBLE,
        "hide_errors": None,
    }
    return HiddenTest(**{**fields, **changes})


def submission(
    text: str | None, *, variant: Variant | None = None, also: Mapping[str, str] | None = None, **helpers: str
) -> dict[str, Material]:
    """Build a submission from the text of the question's file, None if it is missing, and the texts of helper files.

    `also`: by function, the helper in which it is looked for too.
    """
    others = {function: [_source(name, helpers[name])] for function, name in (also or {}).items()}
    found = {function: tuple(each for each in files if each is not None) for function, files in others.items()}
    files = QuestionFiles("shapes", _source("shapes", text), found, {}, variant)
    own = {name: _source(name, helper) for name, helper in {**helpers, "shapes": text}.items() if helper is not None}
    sources = {name: (source.path, source.text, False) for name, source in own.items() if source is not None}
    return {"shapes": Material(QUESTION, files, sources, {}, (), toy_shapes)}


def changed(*functions: str) -> dict[str, Material]:
    """Build a submission of the right solution, in which the functions replace those of the same name."""
    return submission("\n".join([REFERENCE, *map(textwrap.dedent, functions)]))


def _source(name: str, text: str | None) -> SourceFile | None:
    return None if text is None else SourceFile(f"{name}.py", textwrap.dedent(text), name)
