"""Tasks on all cores: whatever ends the command ends the processes that work for it."""

import os
import signal
import sys

import pytest

from tests.selftest.support.grader_process import Watch, list_descendants, start_grader
from tests.selftest.support.toy_assignment import PROJECT

pytestmark = pytest.mark.once

SLEEP = """
import time
from autograder.matrix.all_cores import run_on_all_cores
run_on_all_cores(time.sleep, {"short": 0, "long": 600}, lambda done, total: print(done, total, flush=True))
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL], ids=lambda number: number.name)
def test_a_command_that_is_ended_leaves_no_process(number: signal.Signals) -> None:
    with start_grader([sys.executable, "-c", SLEEP], cwd=PROJECT) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "1 2\n"
        watch = Watch(list_descendants(process.pid))
        os.kill(process.pid, number)
        assert watch.all_end()
