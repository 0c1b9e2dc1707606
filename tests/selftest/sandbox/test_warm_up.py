"""Student code cannot tell the workers of a warmed-up zygote from others; only their cost differs."""

from __future__ import annotations

import contextlib
import random
from typing import Any

import numpy as np
import pytest

from autograder.grader import Grader
from autograder.sandbox import limits as limit
from autograder.sandbox.host.client import Zygote
from autograder.sandbox.host.launcher import Launcher
from autograder.sandbox.host.replies import read_value
from autograder.sandbox.limits import Limits
from autograder.sandbox.protocol import messages
from autograder.submission import read_submission
from tests.selftest.support.text_grading import shorten_loops
from tests.selftest.support.toy_assignment import ASSIGNMENT, EXAMPLES, grader
from tests.selftest.support.worker_calls import exchange, find
from tests.selftest.test_grader import told

pytestmark = pytest.mark.slow

LOOKING_AROUND = """
import builtins, gc, io, os, random, sys, threading, warnings
import numpy as np

def f():
    return {
        "modules": sorted(sys.modules),
        "meta path": [str(type(each)) for each in sys.meta_path],
        "path": [str(each) for each in sys.path],
        "argv": list(sys.argv),
        "caches": sorted(sys.path_importer_cache),
        "builtins": sorted(vars(builtins)),
        "open": [str(type(builtins.open)), str(type(io.open)), os.getcwd()],
        "random": [random.random(), float(np.random.rand()), np.random.default_rng(1).random()],
        "numpy": sorted(vars(np)) + [str(np.geterr())],
        "warnings": [str(each) for each in warnings.filters],
        "threads": [threading.active_count(), threading.current_thread().name],
        "collector": [list(gc.get_threshold()), gc.isenabled()],
        "recursion": sys.getrecursionlimit(),
        "environment": sorted(os.environ),
        "classes": sorted(str(each) for each in object.__subclasses__()),
    }
"""


def what_a_worker_sees(*, is_warm: bool) -> Any:
    """Return the environment that student code sees."""
    with Zygote(Launcher(is_warm=is_warm)) as zygote:
        worker = zygote.spawn(Limits(), preload=("builtins", "gc", "io", "threading", "warnings"))
        with contextlib.closing(worker):
            return read_value(exchange(worker, messages.CALL, read_value(find(worker, LOOKING_AROUND)), ()))


def test_the_warm_up_leaves_nothing_that_student_code_can_see() -> None:
    assert what_a_worker_sees(is_warm=True) == what_a_worker_sees(is_warm=False)


def test_what_is_prepared_before_the_fork_is_what_student_code_is_promised() -> None:
    seen = what_a_worker_sees(is_warm=True)
    expected = [random.Random(limit.WORKER_SEED).random(), np.random.RandomState(limit.WORKER_SEED).rand()]
    assert seen["random"][:2] == expected
    assert seen["argv"] == [""]
    assert seen["threads"] == [1, "MainThread"]


@pytest.mark.ci
def test_reports_are_the_same_without_a_warm_up(monkeypatch: pytest.MonkeyPatch) -> None:
    shorten_loops(monkeypatch)
    half_done, wrong = (read_submission(EXAMPLES / name, ASSIGNMENT) for name in ("half_done", "wrong"))
    with Grader(ASSIGNMENT, launcher=Launcher(is_warm=False)) as cold:
        assert told(cold.grade(half_done)) == told(grader().grade(half_done))
        assert told(cold.grade(wrong)) == told(grader().grade(wrong))
