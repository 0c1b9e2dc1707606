"""The example assignment on convolution and an LSTM, by the command line alone.

Right work gets full points, whatever form its caches have, the template gets none, and mistakes are found and named.
"""

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.selftest.support.example_assignment import ExampleAssignment, add_points, list_failed
from tests.selftest.support.handout import run_check

pytestmark = [pytest.mark.slow, pytest.mark.ci, pytest.mark.once]

LAYERS = ExampleAssignment("layers_by_hand")
EXAMPLES = LAYERS.root / "examples"
RIGHT = ("right_closures", "right_loops")  # and examples/right, which test_wheel grades, with the template
# What is wrong in examples/wrong: the checks that find it, and the beginning of the hint that they show.
ERRORS = {
    "the padding stays": (["1.3", "1.4", "1.5"], "Compare the shape of your dx"),
    "the gradient of the bias is a mean": (["1.3", "1.4", "1.5"], "Compare how the images of the batch"),
    "the search for the largest entry starts at 0": (["1.6", "1.7"], "What is your output for a window of negative"),
    "windows that overlap overwrite each other": (["1.8", "1.9", "1.10"], "Which gradient does an entry get"),
    "the gates are in another order": (["2.1", "2.2"], "In which order does the assignment put"),
    "no gradient goes back in time": (["2.8", "2.9", "2.10"], "In which two ways does the loss"),
}
# A backward step cannot read the cache of the grader's forward step, and that of the student's is wrong.
NOT_NAMED = ["2.3", "2.4", "2.5"]

# Each gradient is that of the output beside it, which has the right shape and is a sum of all arguments.
PLAIN_SUMS = """
import numpy as np

def conv2d_forward(x, w, b, stride, padding):
    size = [(n + 2 * padding - k) // stride + 1 for n, k in zip(x.shape[2:], w.shape[2:])]
    return np.full((len(x), len(w), *size), x.sum() + w.sum() + b.sum()), (x.shape, w.shape, b.shape)

def conv2d_backward(dout, cache):
    return tuple(np.full(shape, dout.sum()) for shape in cache)

def max_pool_forward(x, height, width, stride):
    size = [(n - k) // stride + 1 for n, k in zip(x.shape[2:], (height, width))]
    return np.full((*x.shape[:2], *size), x.sum()), x.shape

def max_pool_backward(dout, cache):
    return np.full(cache, dout.sum())
"""


@pytest.fixture(scope="module")
def wrong(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """The checks of examples/wrong."""
    return LAYERS.grade(EXAMPLES / "wrong", tmp_path_factory.mktemp("wrong"))


def join_lines(text: str) -> str:
    """Join the lines of a message, which may be wrapped anywhere."""
    return " ".join(text.split())


@pytest.mark.parametrize("name", RIGHT)
def test_right_work_gets_full_points(name: str, tmp_path: Path) -> None:
    checks = LAYERS.grade(EXAMPLES / name, tmp_path)
    assert (list_failed(checks), add_points(checks)) == ([], 40)


def test_exactly_the_checks_of_its_errors_fail(wrong: dict[str, dict[str, Any]]) -> None:
    expected = {*(number for numbers, _ in ERRORS.values() for number in numbers), *NOT_NAMED}
    assert set(list_failed(wrong)) == expected


@pytest.mark.parametrize(("numbers", "hint"), ERRORS.values(), ids=ERRORS)
def test_an_error_is_named_although_the_cache_has_a_form_of_its_own(
    wrong: dict[str, dict[str, Any]], numbers: list[str], hint: str
) -> None:
    assert [number for number in numbers if hint not in join_lines(wrong[number]["output"])] == []


def test_the_gradient_of_a_plain_sum_earns_nothing(tmp_path: Path) -> None:
    (tmp_path / "conv.py").write_text(PLAIN_SUMS, encoding="utf-8")
    checks = LAYERS.grade(tmp_path, tmp_path)
    assert add_points(checks) == 0
    for number in ("1.4", "1.9"):
        assert "is not the function asked for: look at " in join_lines(checks[number]["output"])


def test_each_known_mistake_fails_the_checks_that_it_names(tmp_path: Path) -> None:
    done = LAYERS.run("matrix", "--html", tmp_path / "matrix.html")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "gives no reason" not in done.stdout


def test_students_can_run_the_visible_checks(tmp_path: Path) -> None:
    done = LAYERS.run("package", "handout", "--output", tmp_path / "handout.zip")
    assert done.returncode == 0, done.stderr
    shutil.unpack_archive(tmp_path / "handout.zip", tmp_path / "handout")
    shutil.copytree(EXAMPLES / "right", tmp_path / "handout", dirs_exist_ok=True)
    checked = run_check(tmp_path / "handout")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "12 of 12 visible checks passed" in checked.stdout
