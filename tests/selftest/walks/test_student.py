"""A student's walk, from the handout to Gradescope, on old and new Pythons with old and new versions of numpy.

`STUDENT_PYTHONS` names them, separated as in PATH; `.ci/run` makes environments with nothing but numpy. No process can
fork, as on Windows.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.selftest.cli.test_main import run
from tests.selftest.support.handout import read_lines_to_run, run_check, unpack_handout

pytestmark = [pytest.mark.slow, pytest.mark.ci]

PYTHONS = [sys.executable, *filter(None, os.environ.get("STUDENT_PYTHONS", "").split(os.pathsep))]
WRONG = """
def descend(f, x0, step, iterations, postprocessing=None):
    x = x0
    for _ in range(iterations):
        _, gradient = f(x)
        x = x + step * gradient
        if postprocessing is not None:
            x = postprocessing(x)
    return x
"""


@pytest.mark.parametrize("python", PYTHONS)
def test_from_the_handout_to_gradescope(
    tmp_path: Path, python: str, record_property: Callable[[str, object], None]
) -> None:
    version = "import sys, numpy; print('Python', *sys.version_info[:2], 'numpy', numpy.__version__)"
    known = subprocess.run([python, "-c", version], capture_output=True, text=True, check=True).stdout.strip()
    record_property("told", f"student's walk: {known}")
    folder = unpack_handout(tmp_path / "my homework")

    def check(*arguments: str) -> tuple[int, str]:
        done = run_check(folder, *arguments, python=python, cwd=folder)
        assert done.stderr == ""
        return done.returncode, done.stdout

    status, text = check()  # at first all is open, in one line for each function
    assert (status, "FAIL" in text, text.count("\n  still open: ")) == (1, False, 4)

    (folder / "descent.py").write_text(WRONG.replace("range(iterations):", "range(iterations)"))
    assert "    for _ in range(iterations)\n" in check("descent.py")[1]  # the line that does not compile

    (folder / "descent.py").write_text(WRONG)
    status, text = check("descent")
    assert (status, "    FAIL 2.1 " in text) == (1, True)
    lines = read_lines_to_run(text)["2.1"]
    pasted = subprocess.run([python, "-c", lines], cwd=folder, capture_output=True, text=True, check=True)
    found = next(line.partition("found:")[2].strip() for line in text.splitlines() if "found:" in line)
    assert float(pasted.stdout) == pytest.approx(float(found), rel=1e-3)  # the arguments are printed rounded

    (folder / "descent.py").write_text(f"import time\n{WRONG.replace('x + step', 'x - step')}\n")
    (folder / "rows.py").write_text("import os\n\ndef unit_rows(x):\n    os._exit(0)\n")
    status, text = check("descent", "rows")
    assert (status, "2 of 3 visible checks passed" in text) == (1, True)
    assert check("2.1")[0] == 0

    assert run("grade", ".", "--only", "descent", "--results", str(tmp_path / "results"), cwd=folder).returncode == 0
    tests = json.loads((tmp_path / "results" / "results.json").read_text())["tests"]
    visible = [test for test in tests if test["visibility"] == "visible"]
    assert [test["number"] for test in visible] == ["2.1", "2.3"]
    assert all(test["status"] == "passed" for test in visible)
