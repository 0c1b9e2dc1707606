"""Script runner: whatever a submission does in a shared worker, its results are those of each test alone."""

from __future__ import annotations

import time
from contextlib import closing

import pytest

from autograder.grading.attempt_run import AttemptRunner, ZygoteHolder
from autograder.grading.script import ScriptBook
from autograder.grading.script_runner import ScriptRunner
from autograder.results import Visibility
from autograder.sandbox import limits
from autograder.sandbox.host.client import Zygote
from autograder.sandbox.protocol import messages
from tests.selftest.support.toy_question import submission
from tests.selftest.support.toy_scripts import (
    check_area,
    check_double,
    check_volume,
    count_requests,
    judge_all,
    judge_alone_and_together,
    make_material,
    make_test,
    summarize,
)

pytestmark = pytest.mark.slow

_REST = "def area(width, height): return width * height\n"
_RIGHT = "def double(x): return 2 * x\n" + _REST

# The file of each submission; `double` is judged before `area`.
ENDINGS = {
    "right": _RIGHT,
    "wrong": "def double(x): return x\n" + _REST,
    "a call that never ends": "def double(x):\n    while True: pass\n" + _REST,
    "a call that sleeps": "import time\ndef double(x): time.sleep(60)\n" + _REST,
    "a call that takes all memory": "def double(x): return bytearray(2**40)\n" + _REST,
    "a call that takes memory bit by bit": (
        "kept = []\ndef double(x):\n    while True: kept.append(bytearray(2**24))\n" + _REST
    ),
    "a call that prints for ever": "def double(x):\n    while True: print('x' * 10**6)\n" + _REST,
    "a call that exits": "import os\ndef double(x): os._exit(0)\n" + _REST,
    "a call that raises SystemExit": "import sys\ndef double(x): sys.exit(0)\n" + _REST,
    "a call that kills its process": "import os\ndef double(x): os.kill(os.getpid(), 9)\n" + _REST,
    "a call that never returns from deep": "def double(x): return double(x)\n" + _REST,
    "a late library": "def double(x): return __import__('wave') and 2 * x\n" + _REST,
    "a late library while it loads": "__import__('wa' + 've')\n" + _RIGHT,
    "a second use of a late library": _RIGHT
    + "def area(width, height): return __import__('wave') and width * height\n",
    "a missing library": "import nothing_of_this_name\n" + _RIGHT,
    "a syntax error": "def double(x) return x\n" + _REST,
    "an error at the top": _RIGHT + "raise ValueError('at the end')\n",
    "an error before the functions": "1 / 0\n" + _RIGHT,
    "an exit at the top": "import os\n" + _RIGHT + "os._exit(3)\n",
    "a loop at the top": _RIGHT + "while True: pass\n",
    "no such function": _REST,
    "no function at all": "",
    "a stub": "def double(x): raise NotImplementedError\n" + _REST,
    "a value that cannot cross": "import numpy as np\ndef double(x): return np.array(['a'], dtype='S1')\n" + _REST,
    "a value that is too large": "import numpy as np\ndef double(x): return np.zeros(2**22)\n" + _REST,
    "another function that is deleted": _RIGHT + "def double(x):\n    globals().pop('area', None)\n    return 2 * x\n",
}


TESTS = [make_test(check_double, "double"), make_test(check_area, "area")]


@pytest.mark.sampled(second=6)
@pytest.mark.parametrize("text", ENDINGS.values(), ids=ENDINGS)
def test_a_submission_has_the_same_results_as_alone(text: str, zygote: Zygote, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CPU_S", 2)
    monkeypatch.setattr(limits, "CPU_AFTER_TIMEOUT_S", 1)
    monkeypatch.setattr(limits, "SCRIPT_WALL_S", 1.0)  # a script that is late costs its tests an attempt alone, no more
    alone, together = judge_alone_and_together(make_material(text), TESTS, zygote)
    assert together == alone


@pytest.mark.parametrize(
    ("volume", "verdict", "calls"),
    [
        ("area(*given[:2]) * given[2]", "passed", 1),  # beside the right `area`
        ("sum(given)", "failed", 2),  # the same, which is not called, and its lines
        ("0 * area(*given[:2])", "failed", 3),  # the same, alone, and its lines
    ],
)
def test_a_test_that_fails_beside_a_wrong_function_is_not_asked_twice_what_is_known(
    zygote: Zygote, monkeypatch: pytest.MonkeyPatch, volume: str, verdict: str, calls: int
) -> None:
    text = f"def area(width, height): return 0\ndef volume(*given): return {volume}\n"
    tests = [make_test(check_area, "area"), make_test(check_volume, "volume")]
    kinds = count_requests(monkeypatch)
    together = summarize(judge_all(make_material(text), tests, zygote, uses_scripts=True))
    assert kinds.count(messages.CALL) == 2 + calls  # `area` alone, and its lines
    assert together == summarize(judge_all(make_material(text), tests, zygote, uses_scripts=False))
    assert together[1][0] == verdict


def test_a_missing_file_has_the_same_results_as_alone(zygote: Zygote) -> None:
    alone, together = judge_alone_and_together(submission(None), TESTS, zygote)
    assert together == alone


def test_a_file_that_was_loaded_by_its_statements_is_not_shared(
    zygote: Zygote, monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds = count_requests(monkeypatch)
    runner = AttemptRunner(make_material("1 / 0\n" + _RIGHT), ScriptBook(), ZygoteHolder(zygote=zygote))
    runner.memory.loads["shapes", False].by_statements = True
    assert ScriptRunner(runner, TESTS).try_script(TESTS[0].test) is None
    assert kinds == []


def test_right_functions_take_one_script_and_a_wrong_one_an_attempt_of_its_own(
    zygote: Zygote, monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds = count_requests(monkeypatch)
    judge_all(make_material(_RIGHT), TESTS, zygote, uses_scripts=True)
    assert kinds.count("scripts") == 1
    assert kinds.count("call") == 0
    judge_all(make_material(_RIGHT + "def area(width, height): return 0\n"), TESTS, zygote, uses_scripts=True)
    assert kinds.count("scripts") == 2
    assert kinds.count("call") == 2  # the second runs the lines that the check shows


def test_visible_and_hidden_tests_never_share_a_worker(zygote: Zygote, monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = count_requests(monkeypatch)
    hidden = [make_test(each.call, *each.test.functions, visibility=Visibility.AFTER_DUE_DATE) for each in TESTS]
    runner = AttemptRunner(make_material(_RIGHT), ScriptBook(), ZygoteHolder(zygote=zygote))
    for tests in ([TESTS[0], hidden[1]], [hidden[0], TESTS[1]]):
        with pytest.raises(ValueError, match="visible and hidden tests would share a worker"):
            ScriptRunner(runner, tests).try_script(tests[0].test)
    assert kinds == []
    for tests in (TESTS, hidden):
        with closing(ScriptRunner(runner, tests)) as scripts:
            assert scripts.try_script(tests[0].test) is not None


def test_a_script_past_the_deadline_finds_nothing(zygote: Zygote) -> None:
    zygotes = ZygoteHolder(zygote=zygote)
    runner = AttemptRunner(make_material(_RIGHT), ScriptBook(), zygotes, deadline=time.monotonic())
    assert ScriptRunner(runner, TESTS).try_script(TESTS[0].test) is None


def test_a_zygote_that_does_not_start_is_left_to_the_attempt_alone() -> None:
    def fail() -> Zygote:
        raise OSError

    runner = AttemptRunner(make_material(_RIGHT), ScriptBook(), ZygoteHolder(fail))
    assert ScriptRunner(runner, TESTS).try_script(TESTS[0].test) is None
