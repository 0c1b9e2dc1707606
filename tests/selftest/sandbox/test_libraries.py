"""Student code can import every library module at any time, and libraries that its assignment declares; no others.

Its worker can read no file: what is declared is loaded before student code, inside of all layers.
"""

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest

from autograder.programs.outcome import OutcomeKind
from autograder.results import Verdict
from autograder.sandbox import limits as limit
from autograder.sandbox.host.client import SandboxError, Zygote
from autograder.sandbox.host.launcher import Launcher
from autograder.sandbox.limits import LATE_MODULES, Limits
from autograder.sandbox.preload import may_be_requested
from autograder.sandbox.protocol import messages
from autograder.student import CallFailed, Student
from tests.selftest.support.made_judge import make_attempt
from tests.selftest.support.toy_assignment import checks_of, reference_text
from tests.selftest.support.toy_question import changed
from tests.selftest.support.worker_calls import load

pytestmark = pytest.mark.slow


def reply_to_import(zygote: Zygote, statements: str, *, preload: tuple[str, ...] = ()) -> tuple[object, ...]:
    """Import a file with these statements in a worker and return the reply."""
    with contextlib.closing(zygote.spawn(Limits(), preload=preload)) as worker:
        return load(worker, statements)


@pytest.mark.parametrize(
    ("statements", "module"),
    {
        "import wave": "wave",
        "__import__('wa' + 've')": "wave",
        "import numpy as n\nn.fft.fft([1.0])": "numpy.fft",
        "'a'.encode('cp1253')": "encodings.cp1253",
        "try: import wave\nexcept ImportError: pass": "wave",
        "import threading\nt = threading.Thread(target=__import__, args=('wave',))\nt.start()\nt.join()": "wave",
    }.items(),
)
def test_a_worker_asks_for_the_module_it_misses(zygote: Zygote, statements: str, module: str) -> None:
    assert reply_to_import(zygote, statements) == (messages.WANTS_LIBRARY, module)


@pytest.mark.parametrize("module", ["wave", "xml.etree.ElementTree", "unittest.mock", "numpy.polynomial.chebyshev"])
def test_the_next_worker_has_it(zygote: Zygote, module: str) -> None:
    assert reply_to_import(zygote, f"import {module}", preload=(module,))[0] == messages.RETURNED


@pytest.mark.parametrize(
    "name", ["unittest.__main__", "test.support", "numpy.f2py", "numpy.f2py.__main__", "numpy", "torch"]
)
def test_programs_tests_and_what_is_no_library_are_not_asked_for(zygote: Zygote, name: str) -> None:
    assert not may_be_requested(name)
    guarded = f"try:\n  __import__({name!r})\nexcept ImportError: pass"
    assert reply_to_import(zygote, guarded, preload=("unittest",))[0] == messages.RETURNED


@pytest.mark.parametrize(
    "statements",
    [
        "import importlib\n_ = [importlib.import_module(name) for name in 'wave colorsys sched numpy.fft'.split()]",
        "from numpy.lib.gone_base import average",  # a part that this numpy lacks, and that nothing uses
    ],
)
def test_a_right_answer_that_imports_in_an_unusual_way_loses_nothing(statements: str) -> None:
    checks = checks_of("rows", f"{reference_text('rows')}\n{statements}\n")
    assert {check.verdict for check in checks.values()} == {Verdict.PASSED}


def test_importing_one_library_after_another_ends() -> None:
    asks = f"\nimport importlib\nfor i in range({LATE_MODULES} + 9): importlib.import_module(f'encodings.cp{{i}}')\n"
    checks = checks_of("rows", reference_text("rows") + asks)
    assert {check.verdict for check in checks.values()} == {Verdict.FAILED}
    assert "is not available in the grader" in "".join(check.output for check in checks.values())


LIBRARY = "yaml"  # one that the grader has and workers have not
USES_LIBRARY = f"""
import {LIBRARY}
def double(x):
    return {LIBRARY}.safe_load("[1, 2]")
"""
ASKS_FOR_MEMORY = """
import numpy as np
def double(x):
    return int(np.ones(int(x) * 2**20, np.uint8).sum()) >> 20
"""


def double_of(zygote: Zygote, text: str, *arguments: Any) -> Any:
    """The value of a submission's `double`, in a worker of its own."""
    with contextlib.closing(make_attempt(changed(text), zygote)) as attempt:
        return Student(attempt).shapes.double(*arguments)


@pytest.fixture(scope="module")
def declared() -> Iterator[Zygote]:
    """A zygote whose assignment declares a library."""
    with Zygote(Launcher(libraries=[LIBRARY])) as zygote:
        yield zygote


def test_one_that_is_declared_can_be_used(declared: Zygote) -> None:
    assert double_of(declared, USES_LIBRARY, 1.0) == [1, 2]


def test_another_cannot(zygote: Zygote) -> None:
    with pytest.raises(CallFailed) as failure:
        double_of(zygote, USES_LIBRARY, 1.0)
    assert f"{LIBRARY}.safe_load is neither in your submission nor in the grader" in failure.value.outcome.message


def test_memory_is_limited_beyond_what_libraries_take(declared: Zygote, zygote: Zygote) -> None:
    enough, too_much = 150, limit.ADDRESS_SPACE_BYTES // 2**20
    for each in (declared, zygote):
        assert double_of(each, ASKS_FOR_MEMORY, enough) == enough
        with pytest.raises(CallFailed) as failure:
            double_of(each, ASKS_FOR_MEMORY, too_much)
        assert failure.value.outcome.kind is OutcomeKind.OUT_OF_MEMORY


def test_one_that_cannot_be_loaded_is_an_error_of_ours() -> None:
    with pytest.raises(SandboxError), Zygote(Launcher(libraries=["no_such_library"])) as zygote:
        zygote.spawn(Limits(), preload=())
