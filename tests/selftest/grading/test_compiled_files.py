"""What one worker compiled serves the later ones; nothing of it has run by then, and reports cannot tell."""

from __future__ import annotations

import marshal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from autograder.grader import Grader
from autograder.grading.compiled_files import CompiledFiles
from autograder.sandbox import limits as limit
from autograder.sandbox.host.client import Zygote
from autograder.sandbox.host.replies import read_value
from autograder.sandbox.limits import Limits
from autograder.submission import Submission, read_submission
from tests.selftest.support.toy_assignment import ASSIGNMENT, EXAMPLES, grader, reference_text
from tests.selftest.test_grader import told

GUARDED = """
print("running")
try:
    import nothing_of_that_name
except ImportError:
    nothing_of_that_name = None

def f():
    return nothing_of_that_name is None
"""
WRONG = """
import numpy as np
import seaborn_of_nobody

def unit_rows(x):
    if np.size(x) is 1: return x
    return x / unknown
"""


@pytest.fixture(scope="module")
def zygote() -> Iterator[Zygote]:
    """One zygote for the tests of this file."""
    with Zygote() as running:
        yield running


def asked(zygote: Zygote, modules: bytes, *requests: tuple[object, ...]) -> tuple[list[Any], bytes]:
    """What a worker with these modules replies to each request, and what it printed."""
    worker = zygote.spawn(Limits(), preload=(), modules=modules)
    try:
        replies = [worker.connection.exchange(each, deadline=time.monotonic() + 20) for each in requests]
    finally:
        worker.close()
    return replies, worker.connection.printed


def shared(text: str, *, support: str | None = None) -> CompiledFiles:
    """One file of a student's, and a support module of the same name where there is one."""
    supported = {} if support is None else {"answer": ("support/answer", support, False)}
    return CompiledFiles({"answer": ("answer.py", text, False)}, supported, is_wanted=True)


class TestCompiling:
    def test_runs_nothing(self, zygote: Zygote) -> None:
        (reply,), printed = asked(zygote, shared(GUARDED).encode_modules(support_wins=False), ("compile",))
        assert list(read_value(reply)) == ["answer"]
        assert printed == b""

    def test_gives_what_an_import_needs(self, zygote: Zygote) -> None:
        code = shared(GUARDED.replace("is None", "is None  # as text") + "WORD = 'as text'\n")
        replies, _ = asked(zygote, shared(GUARDED).encode_modules(support_wins=False), ("compile",))
        assert code.take(replies[0])
        replies, printed = asked(
            zygote,
            code.encode_modules(support_wins=False),
            ("import_and_find", "answer", ("f",), "find"),
            ("find", "answer", "WORD"),
        )
        names, (spelling, handle) = read_value(replies[0])
        assert (names, spelling, printed) == (["f"], "f", b"running\n")
        assert replies[1][:2] == ("raised", "AttributeError")  # the code counted, not the text
        assert handle.is_callable

    @pytest.mark.parametrize(
        "text", ["def f(:\n", "x = 1 is 1\n", "x = '\0'\n", "x = " + "-" * 100_000 + "1\n"], ids=lambda text: text[:12]
    )
    def test_leaves_to_the_import_what_there_is_to_say_of_a_text(self, zygote: Zygote, text: str) -> None:
        (reply,), printed = asked(zygote, shared(text).encode_modules(support_wins=False), ("compile",))
        assert read_value(reply) == {}
        assert printed == b""

    def test_is_of_the_students_file_and_not_of_the_graders_in_its_place(self, zygote: Zygote) -> None:
        code = shared("def f(): return 'theirs'\n", support="def f(): return 'ours'\n")
        (reply,), _ = asked(zygote, code.encode_modules(support_wins=False), ("compile",))
        assert code.take(reply)
        for support_wins in (False, True):
            found, _ = asked(
                zygote, code.encode_modules(support_wins=support_wins), ("import_and_find", "answer", ("f",), "find")
            )
            assert (read_value(found[0])[1] is None) == support_wins  # what the grader supplies is not the student's


class TestWhatIsKept:
    def test_is_the_first_answer_whatever_it_is(self) -> None:
        code = shared(GUARDED)
        assert not code.take(None)
        assert not code.is_wanted

    @pytest.mark.parametrize(
        "made",
        [b"code", {"answer": "text"}, {"other": b"code"}, {7: b"code"}, {"answer": bytes(limit.CODE_BYTES + 1)}],
        ids=["no dict", "a text", "of another module", "of a number", "too much"],
    )
    def test_is_nothing_that_no_compiler_makes(self, made: object) -> None:
        code, other = shared(GUARDED), shared(GUARDED)
        assert code.take(("returned", made))
        assert code.encode_modules(support_wins=False) == other.encode_modules(support_wins=False)

    @pytest.mark.parametrize(
        "packed",
        [b"nonsense", marshal.dumps(7), marshal.dumps((1, [])), marshal.dumps((GUARDED, [], 1)), b"\xe3"],
        ids=["nonsense", "a number", "no code", "too many parts", "cut off"],
    )
    def test_is_left_for_the_text_where_it_is_no_code(self, zygote: Zygote, packed: bytes) -> None:
        code = shared(GUARDED)
        code.take(("returned", {"answer": packed}))
        (reply,), _ = asked(zygote, code.encode_modules(support_wins=False), ("import", "answer"))
        assert read_value(reply) == ["f"]


def one_file(stem: str, text: str) -> Submission:
    """A submission of one question."""
    return Submission.build(ASSIGNMENT, {stem: text})


@pytest.mark.exhaustive
def test_reports_are_the_same_where_each_worker_compiles_for_itself() -> None:
    texts = {
        "wrong": WRONG,
        "no Python": "def unit_rows(x:\n",
        "stops": "import sys\nsys.exit(3)\n",
        "right": reference_text("rows"),
        "endless text": "x = " + "(" * 500,
    }
    hostile = sorted((Path(__file__).parents[1] / "hostile").glob("g0[129]*.py"))
    texts.update({path.stem: path.read_text(encoding="utf-8") for path in hostile})
    submissions = [one_file("rows", text) for text in texts.values()]
    submissions += [read_submission(EXAMPLES / name, ASSIGNMENT) for name in ("half_done", "wrong")]
    with Grader(ASSIGNMENT, shares_code=False) as compiling:
        for submission in submissions:
            assert told(compiling.grade(submission)) == told(grader().grade(submission))
