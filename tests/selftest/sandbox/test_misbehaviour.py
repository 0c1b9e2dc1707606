"""For every kind of misbehaviour the test has a verdict on the submission; the grader never fails."""

from collections.abc import Callable

import pytest

from autograder.checks import checks
from autograder.results import CheckResult, Verdict
from autograder.sandbox.host.client import Zygote
from autograder.student import Callback, Student
from tests.selftest.support.made_judge import make_judge
from tests.selftest.support.toy_question import changed, hidden_test

pytestmark = pytest.mark.slow

PRELUDE = """
import os, signal, sys, threading, time, types
import numpy as np
wire = sys.modules["autograder.sandbox.protocol.wire"]
def send(*messages):
    for message in messages: os.write(3, wire.pack_frame(wire.encode(message)))
"""

RIGHT = "passed"
WRONG = "returned"  # a wrong value
# The thread fills the 8 MB while its file loads, whose line is then left out, or first during the call.
RIGHT_OR_FLOODED = "passed or output_limit"
FLOOD = "def flood():\n  while True: os.write(1, b'x' * 65536)\nthreading.Thread(target=flood).start()"
# The value that `double` returns, or the statements for it after `;`, and the outcome.
VALUES = {
    "object()": WRONG,
    "(x for x in [x])": WRONG,
    "{x}": WRONG,
    "{1: object()}": WRONG,
    "{(1, 2): x}": WRONG,
    "{i: i for i in range(10**4)}": "raised",
    "10**20000": "raised",
    "1e308 * 10": WRONG,
    "'x' * 10**6": WRONG,
    "'x' * 10**7": "raised",
    "[b'x' * 10**6] * 20": "raised",
    "[[]] * 10**7": "raised",
    "np.array([object()])": WRONG,
    "np.array(['2020-01-01'], dtype='datetime64')": "raised",
    "np.zeros(3, dtype=[('a', 'f8')])": "raised",
    "np.broadcast_to(x, (2**14, 2**14))": "raised",
    "np.full((0, 5, 0), np.nan)": WRONG,
    "np.ma.masked_array([2 * x], [True])": RIGHT,
    "np.matrix([[2 * x]])": RIGHT,
    "np.longdouble(2 * x)": RIGHT,
    "np.array([2 * x, None])[:1]": RIGHT,
    "types.SimpleNamespace(__class__=5)": WRONG,
    "type('strange\\nname', (), {})()": WRONG,
    "functools_missing": "raised",
}
CLASSES = {
    "a tuple without end": ("class T(tuple):\n  def __iter__(self): raise MemoryError", "T((1, 2))", "out_of_memory"),
    "a list that raises": ("class T(list):\n  def __iter__(self): raise SystemExit", "T((1, 2))", "raised"),
    "a dict that lies": ("class T(dict):\n  def keys(self): return [[]]\n  __iter__ = keys", "T(a=1)", "raised"),
    "a class that lies": ("class T:\n  __class__ = np.ndarray", "T()", "raised"),
    "a class that raises": ("class T:\n  __class__ = property(lambda self: 1 / 0)", "T()", "raised"),
    "an interface to memory": (
        "class T: __array_interface__ = {'shape': (10**6,), 'typestr': '<f8', 'data': (4096, False), 'version': 3}",
        "np.asarray(T())",
        "died",
    ),
    "an array that lies": (
        "class T(np.ndarray):\n  shape = property(lambda self: 1 / 0)\n  dtype = property(lambda self: 1 / 0)",
        "np.array([2 * x]).view(T)",
        RIGHT,
    ),
    "a float that lies": ("class T(float):\n  __eq__ = lambda *_: True\n  __sub__ = lambda *_: 0.0", "T(0)", WRONG),
    "a text as key that lies": ("class T(str):\n  __hash__ = lambda self: 1\n  __eq__ = None", "{T('a'): 1}", WRONG),
    "a metaclass that lies": (
        "class M(type):\n  __name__ = 5\n  __eq__ = lambda *_: True\n  __hash__ = None\nclass T(metaclass=M): pass",
        "T()",
        "raised",
    ),
}
EXCEPTIONS = {
    "without a text": ("def __str__(self): raise SystemExit", "raised"),
    "whose text is none": ("def __str__(self): return 5", "raised"),
    "whose text is large": ("def __str__(self): return 'x' * 10**7", "raised"),
    "whose text never ends": ("def __str__(self): return str(self)", "raised"),
    "without a traceback": ("__traceback__ = property(lambda self: 5)", "died"),
    "whose name is none": ("name = 5", "raised"),
    "whose class is another": ("__class__ = property(lambda self: 1 / 0)", "died"),
}
# What ends a worker at the top level of a file is left out of it.
ACTIONS = {
    "closes its output": ("os.close(1)\nos.close(2)", RIGHT),
    "closes the connection": ("os.close(3)", RIGHT),
    "puts its output on the connection": ("os.dup2(1, 3)", RIGHT),
    "has no output": ("sys.stdout = sys.stderr = None", RIGHT),
    "has an output that raises": ("sys.stdout = types.SimpleNamespace(flush=lambda: sys.exit())", RIGHT),
    "replaces builtins": (
        "import builtins\nfor n in ('len', 'type', 'tuple', 'isinstance'): setattr(builtins, n, None)",
        RIGHT,
    ),
    # The Python decides whether the file still loads, with or without these lines.
    "empties numpy": ("np.__dict__.clear()\nsys.modules.clear()", "raised or passed"),
    "replaces the module table": ("sys.modules['numpy'] = sys.modules['json'] = None", RIGHT),
    "replaces itself": ("sys.modules[__name__] = types.SimpleNamespace(double=lambda x: 2 * x)", RIGHT),
    "removes itself": ("sys.modules[__name__] = None", "raised"),
    "has names that are no texts": ("globals()[5] = len", "garbled"),
    "has a name of megabytes": ("globals()['x' * 9 * 10**6] = len", "raised"),
    "traces every line": ("sys.settrace(lambda *_: 1 / 0)", "raised"),
    "is interrupted by signals": ("signal.signal(signal.SIGALRM, lambda *_: 1 / 0)\nsignal.alarm(1)", RIGHT),
    "raises in a destructor": ("class D:\n  def __del__(self): raise ValueError\nD()", RIGHT),
    "ends": ("sys.exit(0)", RIGHT),
    "ends at once": ("os._exit(0)", RIGHT),
    "floods its output": ("while True: os.write(1, b'x' * 65536)", RIGHT),
    "floods from a thread": (f"{FLOOD}\ntime.sleep(60)", RIGHT_OR_FLOODED),
    "cannot be parsed": ("x = " + "(" * 5000 + ")" * 5000, "raised"),
}
CALLS = {
    "with all kinds of arguments": ("f({'a': [object()], 5: None}, {1: 2})", "raised"),
    "with another keyword": ("f(**{'x': 1, 'other': 2})", "raised"),
    "with itself": ("f(f)", "raised"),
    "with large numbers": ("f([10**2000] * 400)", WRONG),
    "with an object": ("f(object())", "raised"),
    "with a cycle": ("f((lambda y: y.append(y) or y)([]))", "raised"),
    "of no number": ("send(('callback', np.arange(3), '', wire.encode(((), {})))) or time.sleep(60)", "garbled"),
    "and ends": ("f(1) and os._exit(0)", "died"),
}


@pytest.fixture
def judged(zygote: Zygote) -> Callable[..., CheckResult]:
    """Judge a submission that begins with `source` on a test of `double`; none may harm the zygote of all."""

    def judge(source: str, argument: object = 3.0) -> CheckResult:
        def body(student: Student) -> None:
            checks.close("double(x)", student.shapes.double(argument), 6.0)

        judge = make_judge(changed(PRELUDE + source), seconds=30, zygote=zygote)
        return judge.judge(hidden_test("double"), body)

    return judge


def assert_ends(result: CheckResult, how: str) -> None:
    """Assert that the test passed, or failed with the given outcome."""
    assert result.verdict in (Verdict.PASSED, Verdict.FAILED), f"{result.output}\n{result.fault}"
    found = RIGHT if result.verdict is Verdict.PASSED else result.outcome
    assert found in how.split(" or "), result.output


@pytest.mark.parametrize(("value", "how"), VALUES.items(), ids=VALUES)
def test_a_function_that_returns(judged: Callable[..., CheckResult], value: str, how: str) -> None:
    assert_ends(judged(f"def double(x): return {value}"), how)


@pytest.mark.parametrize(("source", "value", "how"), CLASSES.values(), ids=CLASSES)
def test_a_function_that_returns_an_instance_of(
    judged: Callable[..., CheckResult], source: str, value: str, how: str
) -> None:
    assert_ends(judged(f"{source}\ndef double(x): return {value}"), how)


@pytest.mark.parametrize(("member", "how"), EXCEPTIONS.values(), ids=EXCEPTIONS)
def test_a_function_that_raises_an_exception(judged: Callable[..., CheckResult], member: str, how: str) -> None:
    assert_ends(judged(f"class E(NameError):\n  {member}\ndef double(x): raise E"), how)


@pytest.mark.parametrize(("source", "how"), ACTIONS.values(), ids=ACTIONS)
def test_a_file_that(judged: Callable[..., CheckResult], source: str, how: str) -> None:
    assert_ends(judged(f"def double(x): return 2 * x\n{source}"), how)


@pytest.mark.parametrize(("call", "how"), CALLS.values(), ids=CALLS)
def test_a_call_of_the_grader(judged: Callable[..., CheckResult], call: str, how: str) -> None:
    assert_ends(judged(f"def double(f): return {call}", Callback(lambda x: 2 * x, keywords=(("x",),))), how)


def test_after_all_of_that_a_right_submission_passes(judged: Callable[..., CheckResult]) -> None:
    assert judged("").verdict is Verdict.PASSED
