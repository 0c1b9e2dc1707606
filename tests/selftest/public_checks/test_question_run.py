"""The processes of check.py: code that sleeps, spins, ends its process or prints for ever costs its own checks only."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.public_checks import question_run
from autograder.public_checks.child import Checked, Task
from autograder.public_checks.local_student import Stage
from autograder.public_checks.question_run import QuestionRun
from autograder.sandbox import limits as limit
from tests.selftest.support.handout import unpack_handout

RIGHT = "import numpy as np\ndef unit_rows(x):\n    return x / np.sqrt((x * x).sum(axis=1, keepdims=True))\n"
SHORT_S = {Stage.START: 60.0, Stage.LOAD: 1.5, Stage.STATEMENT: 1.0, Stage.LINES: 1.0}
TOO_LONG = "It was stopped because it took too long."


@pytest.fixture(scope="module")
def material(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unpack_handout(tmp_path_factory.mktemp("handout")) / "public_checks"


@pytest.fixture
def short(material: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Short limits, and the handout's modules for the children, which import what the handout has."""
    monkeypatch.setattr(question_run, "_LIMITS_S", SHORT_S)
    monkeypatch.setattr(limit, "CPU_S", 1.5)
    monkeypatch.setattr(limit, "CPU_AFTER_TIMEOUT_S", 1.0)
    monkeypatch.syspath_prepend(str(material))
    monkeypatch.setitem(sys.modules, "__main__", type(sys)("__main__"))  # a child would import pytest's


def begin(material: Path, text: str, stem: str = "rows") -> Iterator[Checked]:
    """Begin to run the checks of a question on one file."""
    questions = json.loads((material / "questions.json").read_text(encoding="utf-8"))
    [question] = [each for each in questions if each["stem"] == stem]
    path = question["files"][0]
    return QuestionRun(Task(question, {path: text}, path, material, material)).run()


def run(material: Path, text: str, stem: str = "rows") -> list[Checked]:
    """Run the checks of a question on one file."""
    return list(begin(material, text, stem))


@pytest.mark.usefixtures("short")
class TestEnds:
    def test_right_code_passes(self, material):
        [checked] = run(material, RIGHT)
        assert (checked.check.passed, checked.check.output) == (True, "Passed.")

    @pytest.mark.sampled(second=1, ci=4)
    @pytest.mark.parametrize(
        "loop",
        [
            "import time\n    time.sleep(60)",
            "while True: pass",
            "sum(range(10**11))",
            "try:\n        while True: pass\n    except BaseException: pass",
        ],
        ids=["sleeps", "spins", "spins in C", "catches everything"],
    )
    def test_a_function_that_does_not_end_is_stopped(self, material, loop):
        began = time.monotonic()
        [checked] = run(material, f"def unit_rows(x):\n    print('begun')\n    {loop}\n")
        assert time.monotonic() - began < 10
        assert TOO_LONG in checked.check.output
        assert checked.check.output.endswith("Printed by your code:\n  | begun")

    @pytest.mark.ci
    @pytest.mark.parametrize("loop", ["import time; time.sleep(60)", "while True: pass"], ids=["sleeps", "spins"])
    def test_a_file_that_does_not_end_is_loaded_without_that_statement(self, material, loop):
        [checked] = run(material, f"x = 1\n{loop}\n{RIGHT}")
        assert checked.check.passed
        assert checked.load is not None
        assert checked.load.write_notes() == ["rows.py line 2 was left out: it did not end within a second"]

    @pytest.mark.ci
    def test_a_file_of_endless_statements_costs_few_processes(self, material, monkeypatch):
        monkeypatch.setattr(limit, "LOADS", 3)
        results = run(material, "import time\n" + "time.sleep(60)\n" * 20, stem="descent")
        assert [(each.check.passed, each.check.is_of_file) for each in results] == [(False, True), (False, True)]
        assert all(f"The file could not be loaded.\n  found:    {TOO_LONG}" in each.check.output for each in results)

    @pytest.mark.parametrize(
        ("end", "told"),
        [
            ("import os\n    os._exit(3)", "(the process ended itself with exit status 3)"),
            ("import os\n    os.kill(os.getpid(), 11)", "(the process was ended by SIGSEGV)"),
            ("import os\n    os.kill(os.getpid(), 9)", "(the process was ended by SIGKILL)"),
        ],
        ids=["exit", "crash", "kill"],
    )
    def test_a_function_that_ends_the_process_is_told_how(self, material, end, told):
        [checked] = run(material, f"def unit_rows(x):\n    {end}\n")
        assert f"It ended the whole Python process {told}." in checked.check.output

    @pytest.mark.parametrize("error", ["SystemExit(0)", "KeyboardInterrupt"])
    def test_a_function_that_raises_an_exit_is_an_error_like_others(self, material, error):
        [checked] = run(material, f"def unit_rows(x):\n    raise {error}\n")
        assert f"found:    a {error.partition('(')[0]}" in checked.check.output

    def test_a_function_that_prints_for_ever_is_stopped(self, material):
        [checked] = run(material, "def unit_rows(x):\n    while True: print('x' * 10**5)\n")
        assert "It was stopped because it printed more than 8 MB." in checked.check.output

    def test_the_checks_after_one_that_ended_its_process_are_run(self, material):
        text = "import os\ndef descend(f, x0, step, iterations, postprocessing=None, *others):\n"
        text += "    if postprocessing is None: os._exit(1)\n    return f(x0)[0]\n"
        first, second = (each.check.output for each in run(material, text, stem="descent"))
        assert "ended the whole Python process" in first
        assert "FAIL x\n" in second

    def test_lines_to_run_that_do_not_end_are_left_out(self, material):
        text = "import sys, time\ndef unit_rows(x):\n"
        text += "    if 'lines_to_run' in sys.modules: time.sleep(60)\n    return x\n"
        [checked] = run(material, text)
        assert checked.check.output.startswith("FAIL unit_rows(x)")
        assert "To see it yourself" not in checked.check.output

    def test_results_come_one_by_one(self, material):
        text = "import time\ndef descend(f, x0, step, iterations, postprocessing=None, *others):\n"
        text += "    if postprocessing is not None: time.sleep(60)\n    return f(x0)[0]\n"
        results = begin(material, text, stem="descent")
        began = time.monotonic()
        first = next(results)
        told_s = time.monotonic() - began
        second = next(results)
        assert first.check.output.startswith("FAIL x")
        assert TOO_LONG in second.check.output
        assert told_s < time.monotonic() - began - 1.0


def test_ctrl_c_ends_the_run_and_its_process(tmp_path):
    folder = unpack_handout(tmp_path / "mine")
    (folder / "descent.py").write_text(
        "import os, time\nopen('of_child', 'w').write(str(os.getpid()))\ndef descend(*arguments): time.sleep(60)\n"
    )
    process = subprocess.Popen(
        [sys.executable, str(folder / "check.py"), "descent"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    told = folder / "of_child"
    limit_s = time.monotonic() + 30
    while not (told.exists() and told.read_text()) and time.monotonic() < limit_s:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (130, "stopped before the end\n")
    with pytest.raises(ProcessLookupError):
        os.kill(int(told.read_text()), 0)
