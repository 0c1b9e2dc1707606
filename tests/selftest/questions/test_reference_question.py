"""A question from a right solution: its files, its strength, and what is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.selftest.questions.test_new_question import run
from tests.selftest.support.staff_project import copy_staff_project

LAYERS = Path(__file__).with_name("ten_layers")
SOLUTION, SIGNATURES = LAYERS / "layers.py", (LAYERS / "signatures.txt").read_text(encoding="utf-8").splitlines()
FEW = ("embedding_forward", "embedding_backward", "softmax_loss")


def make(project: Path, *arguments: str, solution: Path = SOLUTION) -> tuple[int, str, str]:
    """Make a question of a right solution."""
    done = run(project, "new", "question", "layers", "--reference", str(solution), *arguments)
    return done.returncode, done.stdout, done.stderr


def choose(*names: str) -> list[str]:
    """The signatures of these functions."""
    return [each for each in SIGNATURES if each.partition("(")[0] in names]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the grader and the toy."""
    return copy_staff_project(tmp_path)


class TestSolution:
    def test_its_question_is_whole_and_strong(self, project: Path, tmp_path: Path) -> None:
        listed = tmp_path / "signatures.txt"
        listed.write_text("# the layers\n\n" + "\n".join(reversed(choose(*FEW))), encoding="utf-8")
        status, told, errors = make(project, "--signatures", str(listed))
        assert (status, errors) == (0, ""), told + errors
        found = re.search(r"graded: the right solution has all points\nstrength: (\d+) of (\d+) generated", told)
        assert found is not None, told
        assert found[1] == found[2]
        assert int(found[2]) > 150
        assert (project / "reference" / "layers.py").read_bytes() == SOLUTION.read_bytes()
        template = (project / "student_template" / "layers.py").read_text(encoding="utf-8")
        assert 'def softmax_loss(scores, y):\n    """Return the mean of' in template
        assert "exp" not in template
        assert "conv_forward" not in template
        hidden = (project / "tests" / "hidden" / "test_layers.py").read_text(encoding="utf-8")
        assert hidden.count("own_gradient()") == 2
        assert '    gradients={"dscores": "scores"},\n' in hidden
        matrix = run(project, "matrix", "--only", "layers")
        assert matrix.returncode == 0, matrix.stdout
        graded = run(project, "grade", "student_template/layers.py", "--only", "layers")
        assert "0 of 15 points" in graded.stdout

    def test_its_mistakes_are_told_in_words(self, project: Path) -> None:
        assert make(project, *choose(*FEW))[0] == 0
        mistakes = (project / "tests" / "mistakes" / "layers.py").read_text(encoding="utf-8")
        assert '{"np.add.at(dE, words, dout)": "dE[words] += dout"}' in mistakes
        assert 'story="Counts an index that occurs several times in words once."' in mistakes

    def test_its_annotations_are_read(self, project: Path, tmp_path: Path) -> None:
        solution = tmp_path / "scale.py"
        lines = (
            "from __future__ import annotations",
            "from typing import TYPE_CHECKING",
            "if TYPE_CHECKING:",
            "    from jaxtyping import Array, Float",
            'def scale(x: Float[Array, "N D"], rate: float = 0.5) -> Float[Array, "N D"]:',
            "    return x * double(rate)",
            "def double(rate):",
            "    return 2 * rate",
        )
        solution.write_text("\n".join(lines), encoding="utf-8")
        status, told, errors = make(project, solution=solution)
        assert (status, errors) == (0, ""), told
        hidden = (project / "tests" / "hidden" / "test_layers.py").read_text(encoding="utf-8")
        assert '"x: (N, D), rate: float = 0.5 -> value: (N, D)"' in hidden

    @pytest.mark.exhaustive
    def test_the_layers_of_a_course_are_served_by_their_signatures(self, project: Path) -> None:
        status, told, _ = make(project, *[each for each in SIGNATURES if not each.startswith("Nearest")])
        assert status == 0, told
        assert "strength: 200 of 200 " in told


@pytest.mark.sampled(second=3, ci=20)
@pytest.mark.parametrize(
    ("text", "signature", "told"),
    [
        ("def f(x):\n    return x\n", "f(x: (N D)) -> y", "\n  f(x: (N D)) -> y\n        ^"),
        ("def f(x):\n    return x\n", "g(x: (N,)) -> y", "the solution defines no function g"),
        ("def f(x):\n    return x\n", "f(x: (N,)) -> y, z", "the signature names y, z; the right function returns"),
        ("def f(x):\n    return x[3]\n", "f(x: (N,)) -> y", "the right function fails"),
        (
            "def f(x, cache):\n    return x\n",
            "f(x: (N,), cache: cache of g) -> y",
            "f takes the cache of g, which has no",
        ),
        ("import os, torch\n", "f(x: (N,)) -> y", "solution.py:1: imports torch; a right solution imports only numpy"),
        ("def f(x:\n", "f(x: (N,)) -> y", "solution.py is no Python"),
        ("1 / 0\n", "f(x: (N,)) -> y", "solution.py cannot be imported: ZeroDivisionError"),
        ("def f(x):\n    return x\n", "", "solution.py has no annotations"),
        (
            "import numpy as np\ndef f(x):\n    return x + np.random.rand()\n",
            "f(x: (N,)) -> y",
            "f: two calls of the right function with the same arguments differ",
        ),
        (
            "def f(x):\n    return x, x\ndef g(d, cache):\n    return d\n",
            "f(x: (N,)) -> y, cache\ng(d: (M,), cache: cache of f) -> y",
            "g: nothing says how large M is, an axis of d; name it in another argument",
        ),
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
