"""A question from a right solution: its files, its strength, and what is refused."""

import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from autograder.questions.contract_draft import draft_contracts
from autograder.questions.solution import Solution
from tests.selftest.questions.test_new_question import run
from tests.selftest.support.staff_project import copy_toy, write_seed

pytestmark = [pytest.mark.slow, pytest.mark.once]


def make(project: Path, *arguments: str, solution: Path) -> tuple[int, str, str]:
    """Make a question of a right solution."""
    done = run(project, "new", "question", "layers", "--reference", str(solution), *arguments)
    return done.returncode, done.stdout, done.stderr


def read_strength(told: str) -> tuple[int, int]:
    """The numbers of wrong functions that lose points, and of all."""
    head = "graded: the right solution has all points\nagrees with your solution on the drawn inputs: "
    found = re.search(head + r"(\d+) of (\d+) generated", told)
    assert found is not None, told
    return int(found[1]), int(found[2])


SAME, NUMPY, ASKED = "def f(x): return x", "import numpy as np\n", "f(x: (N,)) -> y"
ASK = "class A:\n    def ask(self, x): return "


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the toy."""
    return write_seed(copy_toy(tmp_path))


@pytest.mark.sampled(second=1)
@pytest.mark.parametrize(
    ("text", "signature", "told"),
    [
        (SAME, "f(x: (N D)) -> y", "\n  f(x: (N D)) -> y\n        ^"),
        (SAME, "g(x: (N,)) -> y", "the solution defines no function g"),
        (SAME, "f(x: (N,)) -> y, z", "the signature names y, z; the right function returns"),
        (SAME, "", "give a SIGNATURE, such as"),
        (SAME, "A.ask(x: (N,)) -> y", "the solution defines no class A"),
        (f"{SAME}[3]", ASKED, "the right function fails"),
        ("def f(x): x += 1", ASKED, "the right function returns nothing; name the argument that it changes"),
        (
            "def f(x): return x[: len(x) if len(x) < 9 else 1 // (len(x) > 128)]",
            ASKED,
            "f: the right function fails where N = ",
        ),
        ("def f(x, c): return x", "f(x: (N,), c: cache of g) -> y", "f takes the cache of g, which has no"),
        ("import os, torch", ASKED, "solution.py:1: imports torch; a right solution imports only numpy"),
        ("def f(x:", ASKED, "solution.py is no Python"),
        ("1 / 0", ASKED, "solution.py cannot be imported: ZeroDivisionError"),
        (
            f"{NUMPY}def f(x): return x + np.random.rand()",
            ASKED,
            "y is wrong; give it what it draws, such as `rng: generator`",
        ),
        ("class A: pass", "A()", "A: no method returns anything; write `-> value` behind one that does"),
        ("class A: pass", "A.ask(x: (N,)) -> y", "the solution defines no method A.ask"),
        (f"{ASK}x[9]", "A.ask(x: (N,)) -> y", "A.ask: the right solution fails: IndexError"),
        (f"{NUMPY}{ASK}x + np.random.rand()", "A.ask(x: (N,)) -> y", "A.ask: two calls of the right function with"),
    ],
)
def test_what_is_no_solution_of_its_signatures_is_told_and_nothing_is_written(
    project: Path, tmp_path: Path, text: str, signature: str, told: str
) -> None:
    solution = tmp_path / "solution.py"
    solution.write_text(text, encoding="utf-8")
    status, shown, errors = make(project, *signature.splitlines(), solution=solution)
    assert (status, shown) == (2, "")
    assert told in errors
    assert not (project / "reference" / "layers.py").exists()


PARTLY = """
def double(x): return 2 * x
def first(x): return x[1]
def forever(x):
    while True: pass
def pair(x): return 2 * x, x
def behind(d, cache): return d + cache[0]
"""


def test_what_is_refused_is_told_and_everything_else_is_written(project: Path, tmp_path: Path) -> None:
    solution = tmp_path / "solution.py"
    solution.write_text(PARTLY, encoding="utf-8")
    cached = ("pair(x: (N,)) -> y, cache", "behind(d: (M,), cache: cache of pair) -> y")
    names = ("first(x: (N,)) -> y: float", "none(x: (N,)) -> y", "double(x: (N,)) -> y: (N,)", *cached)
    status, shown, errors = make(project, *names, solution=solution)
    assert status == 1
    assert "left out: first: the right function fails where N = 1: solution.py:3: IndexError" in errors
    assert "left out: the solution defines no function none" in errors
    assert "left out: behind: nothing says how large M is, an axis of d; name it in another argument" in errors
    assert read_strength(shown)[0] > 0
    assert "double.rows" in (project / "tests" / "hidden" / "test_layers.py").read_text(encoding="utf-8")


def test_a_right_solution_that_does_not_end_is_left_out() -> None:
    module = ModuleType("reference")
    exec(PARTLY, vars(module))
    drafted, refused = draft_contracts(module, ["forever(x: (N,)) -> y", "double(x: (N,)) -> y"], seconds=0.5)
    assert [each.name for each in drafted] == ["double"]
    advice = "if it ends, `where N <= 40` makes the cases smaller"
    assert refused == {"forever": f"forever: the right solution computes for more than 0.5 s; {advice}"}


def test_the_students_file_imports_what_its_signatures_are_made_of() -> None:
    lines = (
        "from typing import Any",
        "import numpy as np",
        "from numpy.typing import NDArray",
        "Array = NDArray[np.float64]",
        "def double(x: Array) -> Array:",
        '    """Return 2 x."""',
        "    return 2 * x",
    )
    written: dict[str, Any] = {}
    exec(Solution("\n".join(lines), "solution.py").write_template("layers", {"double"}), written)
    assert "Any" not in written
    assert written["double"].__doc__ == "Return 2 x."
    with pytest.raises(NotImplementedError):
        written["double"](1)
