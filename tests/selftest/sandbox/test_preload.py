"""With full rights a worker imports only library modules without side effects, and no name of the student's making."""

import pytest

from autograder.grading.memory import WorkerMemory
from autograder.sandbox import limits as limit
from autograder.sandbox.host.client import Zygote
from autograder.sandbox.limits import Limits
from autograder.sandbox.preload import find_modules_to_preload, is_library_module
from tests.selftest.support.project_sources import assert_none

NOT_PRELOADED = (
    "venv.__main__",  # creates environments in the folders of sys.argv
    "unittest.__main__",
    "asyncio.__main__",
    "ensurepip.__main__",
    "__main__",
    "_posixsubprocess",
    "numpy.f2py.__main__",
    "numpy.f2py",
    "numpy.distutils",
    "numpy.lib.no_such_module",
    "unittest.test.test_case",
    "ctypes.test",
    "distutils.tests.test_build",
    "antigravity",
    "this",
    "idlelib.idle",
    "tkinter",
    "pip",
    "fitting",
    "json.",
    ".json",
    "json..tool",
)
STATEMENTS = ("import {}", "from {} import name", "import json, {}")


@pytest.mark.parametrize(
    ("text", "names"),
    {
        "import json": ("json",),
        "import json, random as r\n": ("json", "random"),
        "    from collections import deque": ("collections",),
        "from xml.etree import ElementTree": ("xml.etree",),
        "import numpy as np\nnp.linalg.norm(x)": ("numpy.linalg",),
        "from numpy.random import default_rng": ("numpy.random",),
        "from numpy import *": ("numpy.fft", "numpy.ma", "numpy.polynomial"),
        "import numpy.fft, numpy.linalg": ("numpy.fft", "numpy.linalg"),
        "import math\nimport math\nimport cmath": ("cmath", "math"),
        f"import json.{'x' * limit.MODULE_NAME_CHARACTERS}\nimport colorsys\n": ("colorsys",),
    }.items(),
)
def test_library_modules_are_found(text: str, names: tuple[str, ...]) -> None:
    assert find_modules_to_preload([text]) == names


def test_no_other_module_is() -> None:
    texts = [each.format(name) for each in STATEMENTS for name in NOT_PRELOADED]
    found = {text: find_modules_to_preload([text]) for text in texts}
    assert_none(f"{text} preloads {names}" for text, names in found.items() if not set(names) <= {"json"})


def test_a_flood_of_names_is_cut_off() -> None:
    text = "\n".join(f"import json.part{number}" for number in range(10**5))
    assert len(find_modules_to_preload([text])) == 100


@pytest.mark.slow
@pytest.mark.sampled(second=1)
@pytest.mark.parametrize("name", ["numpy.f2py.__main__", "asyncio.windows_events", "json.no_such_part", "json..tool"])
def test_a_module_that_does_not_import_costs_nothing(name: str) -> None:
    with Zygote() as zygote:
        worker = zygote.spawn(Limits(), preload=(name, "json"))
        assert worker.layers
        worker.close()


@pytest.mark.parametrize(
    "name",
    [
        "json.x5b312e302c20322e305d",  # inputs of a test, in hexadecimal
        "json.decoder.x",
        "idlelib.idle",
        "venv.__main__",
        "numpy.no_such_part",
        "json..decoder",
        "json/decoder",
        "json.decoder\n",
        "..json",
        "",
        "json." + "x" * 200,
        "json." + "x" * 7_000_000,
    ],
)
def test_no_other_name_is(name: str) -> None:
    assert not is_library_module(name)


def test_what_a_worker_asked_for_in_one_check_is_forgotten_at_the_next() -> None:
    memory = WorkerMemory()
    assert memory.learn_library("toy", "colorsys", is_loading=False)
    assert not memory.learn_library("toy", "colorsys", is_loading=False)
    assert not memory.learn_library("toy", "json.x31", is_loading=False)
    memory.start_check()
    assert memory.learn_library("toy", "colorsys", is_loading=False)
