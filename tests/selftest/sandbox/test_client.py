"""A worker returns only values: the outcome of each kind of misbehaviour, as the grader sees it."""

import resource
from typing import Any

import pytest

from autograder.programs.outcome import CallFailed, Outcome, OutcomeKind
from autograder.sandbox.host.client import Zygote, determine_outcome_of_end
from autograder.sandbox.host.connection import Ended
from autograder.sandbox.host.exports import Callback, Exports
from autograder.sandbox.host.replies import read_failure
from autograder.sandbox.limits import Limits
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.wire import WireError, encode
from tests.selftest.support.worker_calls import exchange, find, load

pytestmark = pytest.mark.slow

FILES = {"answer.py": 10**6}
SUPPORT = {"grader_support": ("support/grader_support.py", "def given(): return 'given'\n", False)}


def read_value(reply: Any) -> Any:
    """Return the value in a reply."""
    if messages.is_returned(reply):
        return reply[1]
    raise CallFailed(read_failure(reply, (), FILES))


def call(zygote: Zygote, source: str, *arguments: object, wall_s: float = 20.0, **others: str) -> Any:
    """Call `f(*arguments)` of the source and return its value; `others`: further files of the submission.

    The end of the worker becomes an outcome.
    """
    worker = zygote.spawn(Limits(cpu_s=1), preload=("json", "threading", "ctypes"))
    try:
        function = read_value(find(worker, source, support=SUPPORT, **others))
        return read_value(exchange(worker, messages.CALL, function, arguments, seconds=wall_s))
    except Ended as ended:
        raise CallFailed(determine_outcome_of_end(ended, worker.close(), cpu_s=1)) from ended
    finally:
        worker.close()


def outcome(zygote: Zygote, source: str, *arguments: object, **options: Any) -> Outcome:
    """Return the outcome of a call without a value."""
    with pytest.raises(CallFailed) as caught:
        call(zygote, source, *arguments, **options)
    return caught.value.outcome


def test_prints_are_kept_to_the_limit_and_arrive_before_the_reply(zygote: Zygote) -> None:
    worker = zygote.spawn(Limits(), preload=())
    exchange(worker, messages.CALL, find(worker, "def f(n): print('y' * n)")[1], (3,))
    worker.close()
    assert worker.connection.printed == b"yyy\n"


def test_a_traceback_names_the_students_lines_only(zygote: Zygote) -> None:
    frames = outcome(zygote, "def g(): raise ValueError('no')\ndef f(): g()").frames
    assert [(frame.file, frame.line, frame.function) for frame in frames] == [
        ("answer.py", 2, "f"),
        ("answer.py", 1, "g"),
    ]


class TestImports:
    @pytest.mark.parametrize(
        ("imported", "body", "value"),
        [
            ("import tqdm, matplotlib.pyplot as plt\nfrom torch import nn\nclass M(nn.Module): pass", "1", 1),
            ("import torch", "isinstance(1.0, torch.Tensor) or isinstance(f, (float, torch.nn.Module))", False),
            ("import torch", "issubclass(float, torch.Tensor)", False),
            ("import torch\ndef g(x: float | torch.Tensor) -> torch.Tensor | None: return x", "g(2)", 2),
            (
                "from jaxtyping import Float, Array as A\ndef g(x: Float[A, 'n'] | None) -> Float[A, '']: return x",
                "g(2)",
                2,
            ),
            ("try:\n  import cupy as np\nexcept ImportError:\n  import numpy as np", "np.__name__", "numpy"),
            ("from helper import twice", "twice(2)", 4),
            ("from test import twice", "twice(2)", 4),
            ("from past.builtins import xrange", "list(xrange(3))", [0, 1, 2]),
            ("from past.builtins import range, map", "range(2) + map(abs, [-1])", [0, 1, 1]),
            ("from past.utils import old_div", "[old_div(7, 2), old_div(-7, 2), old_div(7.0, 2)]", [3, -4, 3.5]),
            ("from six.moves import range, zip, reduce", "reduce(max, [a + b for a, b in zip(range(3), range(3))])", 4),
            ("from future.builtins import range", "range(3)[2]", 2),
            ("if __name__ == '__main__': raise SystemExit", "1", 1),
        ],
    )
    def test_a_file_may_import(self, zygote: Zygote, imported: str, body: str, value: object) -> None:
        source = f"{imported}\ndef f(): return {body}"
        twice = "def twice(x): return 2 * x"
        assert call(zygote, source, helper=twice, test=twice) == value

    @pytest.mark.parametrize(
        "use",
        [
            *("list(map(abs, tqdm(range(3))))", "[*tqdm]", "tqdm['rate'] * 2.0", "-tqdm", "1 > tqdm", "range(tqdm)"),
            *("np.exp(tqdm)", "np.ones(3) @ tqdm", "np.ones(tqdm)", "np.ones(3)[tqdm]", "np.ones(3) + [tqdm]"),
        ],
    )
    def test_using_a_missing_module_names_it(self, zygote: Zygote, use: str) -> None:
        failed = outcome(zygote, f"import numpy as np\nfrom tqdm import tqdm\ndef f(): return {use}")
        assert failed.error_type == "ModuleNotFoundError"
        assert "tqdm.tqdm is neither in your submission nor in the grader" in failed.message

    def test_support_comes_from_the_grader_and_is_not_the_students(self, zygote: Zygote) -> None:
        worker = zygote.spawn(Limits(), preload=())
        loaded = load(worker, "from grader_support import given\ndef own(): return given()", support=SUPPORT)
        assert loaded == (messages.RETURNED, ["own"])
        own = exchange(worker, messages.FIND, "answer", "own")[1]
        assert exchange(worker, messages.CALL, own, ()) == (messages.RETURNED, "given")
        worker.close()


class TestCallbacks:
    def test_objects_of_the_student_arrive_with_their_snapshot(self, zygote: Zygote) -> None:
        source = """
            class P:
                def __init__(self): self.stack, self.buffer = ["ROOT"], []
            def f(predict): return predict([P()])
        """
        predict = Callback(lambda batch: batch[0].attributes["stack"], snapshot=("stack",))
        assert call(zygote, source, predict) == ["ROOT"]

    def test_a_call_that_loops_in_the_grader_is_stopped(self, zygote: Zygote, monkeypatch: pytest.MonkeyPatch) -> None:
        def count(n: int) -> None:
            for _ in range(n):
                pass

        monkeypatch.setattr("autograder.sandbox.limits.CALLBACK_S", 0.2)
        failed = outcome(zygote, "def f(g): g(10**12)", Callback(count))
        assert "took too long" in failed.message

    def test_a_call_that_takes_too_much_of_the_graders_memory_is_refused(self, zygote: Zygote) -> None:
        before = resource.getrlimit(resource.RLIMIT_AS)
        spread = Callback(lambda a, b: (a[:, None, None] + b[:, None] + b).shape)
        source = "import numpy as np\ndef f(g): return g(np.ones({0}), np.ones({0}))"
        assert call(zygote, source.format(10), spread) == (10, 10, 10)
        assert "could not use these arguments (" in outcome(zygote, source.format(450), spread).message  # 730 MB
        assert resource.getrlimit(resource.RLIMIT_AS) == before

    @pytest.mark.parametrize("export", ["99, ''", "0, 'other'", "True, ''"])
    def test_what_was_not_exported_cannot_be_called(self, zygote: Zygote, export: str) -> None:
        source = f"""
            import os, sys
            def f(g):
                wire = sys.modules["autograder.sandbox.protocol.wire"]
                os.write(3, wire.pack_frame(wire.encode(("callback", {export}, wire.encode(((), {{}}))))))
                os.read(3, 1000)
        """
        assert outcome(zygote, source, Callback(lambda: None)).kind is OutcomeKind.GARBLED


NOTHING = encode(((), {}))  # as arguments and keywords


def test_what_was_given_in_an_earlier_check_answers_no_more() -> None:
    exports, given = Exports(), Callback(lambda: 5)
    kept = exports.add(given)
    assert exports.answer_callback(kept.id, "", NOTHING) == ("answer", 5)
    exports.close_all()
    with pytest.raises(WireError, match="was not exported"):
        exports.answer_callback(kept.id, "", NOTHING)
    again = exports.add(given)
    assert again.id != kept.id
    assert exports.answer_callback(again.id, "", NOTHING) == ("answer", 5)
