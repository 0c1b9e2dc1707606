"""The processes of check.py: code that sleeps, spins, ends its process or prints for ever costs its own checks only."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.selftest.support.handout import read_outputs, run_check, unpack_handout

pytestmark = [pytest.mark.slow, pytest.mark.once]

RIGHT = "import numpy as np\ndef unit_rows(x):\n    return x / np.sqrt((x * x).sum(axis=1, keepdims=True))\n"
TOO_LONG = "It was stopped because it took too long."
DESCEND = "def descend(f, x0, step, iterations, postprocessing=None, *others):\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The handout."""
    return unpack_handout(tmp_path / "mine")


@pytest.fixture
def hurried(folder: Path) -> Path:
    """The handout, whose check.py has shorter limits: for code that does not end."""
    set_limits(folder, 1.0)
    return folder


def set_limits(folder: Path, seconds: float) -> None:
    """Give loads and checks so many seconds."""
    check = folder / "check.py"
    limits = re.compile(r"^(LOAD_S|RUN_S|AGAIN_S) = [0-9.]+", re.MULTILINE)
    text, changed = limits.subn(rf"\1 = {seconds}", check.read_text())
    check.write_text(text)
    assert changed == 3


def check_rows(folder: Path, text: str) -> str:
    """Return the output of the check of rows on a file."""
    (folder / "rows.py").write_text(text)
    return read_outputs(run_check(folder, "rows").stdout)["3.1"]


@pytest.mark.sampled(second=1)
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
def test_a_function_that_does_not_end_is_stopped(hurried, loop):
    output = check_rows(hurried, f"def unit_rows(x):\n    print('begun')\n    {loop}\n")
    assert TOO_LONG in output
    assert output.endswith("Printed by your code:\n  | begun")


@pytest.mark.ci
@pytest.mark.parametrize("loop", ["import time; time.sleep(60)", "while True: pass"], ids=["sleeps", "spins"])
def test_a_file_that_does_not_end_is_told_its_line(hurried, loop):
    output = check_rows(hurried, f"x = 1\n{loop}\n{RIGHT}")
    assert output.startswith(f"FAIL The file could not be loaded.\n  found:    {TOO_LONG}")
    assert output.endswith("\n  where:    rows.py line 2")


@pytest.mark.ci
def test_a_file_of_endless_statements_costs_one_process(hurried):
    (hurried / "descent.py").write_text("import time\n" + "time.sleep(60)\n" * 20)
    text = run_check(hurried, "descent").stdout
    assert text.count(TOO_LONG) == text.count("The same as above.") == 1


@pytest.mark.ci
@pytest.mark.parametrize(
    ("end", "told"),
    [
        ("import os\n    os._exit(3)", "(the process ended itself with exit status 3)"),
        ("import os\n    os.kill(os.getpid(), 11)", "(the process was ended by SIGSEGV)"),
        ("import os\n    os.kill(os.getpid(), 9)", "(the process was ended by SIGKILL)"),
    ],
    ids=["exit", "crash", "kill"],
)
def test_a_function_that_ends_the_process_is_told_how(folder, end, told):
    assert f"It ended the whole Python process {told}." in check_rows(folder, f"def unit_rows(x):\n    {end}\n")


@pytest.mark.ci
@pytest.mark.parametrize("error", ["SystemExit(0)", "KeyboardInterrupt"])
def test_a_function_that_raises_an_exit_is_an_error_like_others(folder, error):
    output = check_rows(folder, f"def unit_rows(x):\n    raise {error}\n")
    assert f"found:    a {error.partition('(')[0]}" in output


@pytest.mark.ci
def test_a_function_that_prints_for_ever_is_stopped(hurried):
    output = check_rows(hurried, "def unit_rows(x):\n    while True: print('x' * 10**5)\n")
    assert TOO_LONG in output
    assert len(output) < 2000


@pytest.mark.ci
def test_prints_of_other_programs_and_of_c_do_not_disturb(folder):
    text = "    import os\n    os.write(1, b'no json')\n    os.system('echo no json')\n    return 2 * x\n"
    assert check_rows(folder, f"def unit_rows(x):\n{text}").startswith("FAIL rows is wrong")


def test_the_checks_after_one_that_ended_its_process_are_run(folder):
    (folder / "descent.py").write_text(
        f"import os\n{DESCEND}    os._exit(1) if postprocessing is None else 0\n    return f(x0)[0]\n"
    )
    first, second = read_outputs(run_check(folder, "descent").stdout).values()
    assert "ended the whole Python process" in first
    assert "FAIL x is wrong\n" in second


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
    while not (told.exists() and told.read_text()) and process.poll() is None:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate()
    assert (process.returncode, errors) == (130, "stopped before the end\n")
    with pytest.raises(ProcessLookupError):
        os.kill(int(told.read_text()), 0)


@pytest.mark.ci
@pytest.mark.parametrize(
    ("variables", "is_coloured"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)]
)
def test_colours_are_for_a_terminal_where_no_color_does_not_ask_for_none(folder, variables, is_coloured):
    pty = pytest.importorskip("pty")
    mine, theirs = pty.openpty()
    environment = {"PATH": os.environ["PATH"], "TERM": "xterm", **variables}
    subprocess.run([sys.executable, str(folder / "check.py"), "rows"], stdout=theirs, env=environment, check=False)
    os.close(theirs)
    text = os.read(mine, 10_000).decode()
    os.close(mine)
    assert ("\033[33mstill open:\033[0m unit_rows" in text) == is_coloured
    assert ("\033" in text) == is_coloured
