"""The proxy of a student's work gives plain values, and an outcome for whatever else the student's process sends."""

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from autograder.checks.values import describe
from autograder.grading.attempt_run import AttemptRun
from autograder.grading.memory import WorkerMemory
from autograder.programs.calls import write_call
from autograder.programs.outcome import Outcome, OutcomeKind
from autograder.sandbox.host.client import SandboxError, Zygote
from autograder.student import Callback, CallFailed, Refuse, Remote, Student
from tests.selftest.support.made_judge import make_attempt
from tests.selftest.support.toy_question import changed

# Puts messages on the worker's connection that the worker's own code did not send.
FORGE = """
import os, sys
import numpy as np

wire = sys.modules["autograder.sandbox.protocol.wire"]

def send(*messages):
    for message in messages:
        os.write(3, wire.pack_frame(wire.encode(message)))

def instead(message):
    worker = sys.modules["autograder.sandbox.worker.worker"]
    real = worker.pack_frame
    def nothing(_):
        worker.pack_frame = real
        return b""
    worker.pack_frame = nothing
    send(message)
"""


class Works:
    """Makes proxies of students' works, and ends their workers."""

    def __init__(self, zygote: Zygote) -> None:
        self._zygote = zygote
        self.attempts: list[AttemptRun] = []

    def __call__(self, materials: Any) -> Any:
        """The proxy of a submission, as a test of `double` gets it."""
        self.attempts.append(make_attempt(materials, self._zygote))
        return self.student().shapes

    def student(self) -> Student:
        """All of the last student's work."""
        return Student(self.attempts[-1])


@pytest.fixture
def work(zygote: Zygote) -> Iterator[Works]:
    """The maker of proxies."""
    works = Works(zygote)
    yield works
    for attempt in works.attempts:
        attempt.close()


def outcome(call: Any, *arguments: Any) -> Outcome:
    """How a call ends that gives no value."""
    with pytest.raises(CallFailed) as caught:
        call(*arguments)
    return caught.value.outcome


def assert_garbled(call: Any, *arguments: Any, why: str) -> Outcome:
    """The outcome of a call that sends what the worker's own code never sends."""
    failed = outcome(call, *arguments)
    assert failed.kind is OutcomeKind.GARBLED
    assert re.search(why, failed.detail)
    return failed


def test_each_call_gets_copies(work: Works) -> None:
    shapes = work(changed("def double(x):\n  x *= 2\n  return x"))
    x = np.arange(3.0)
    assert [shapes.double(x).tolist(), shapes.double(x).tolist(), x.tolist()] == [[0, 2, 4], [0, 2, 4], [0, 1, 2]]


def test_many_calls_cross_at_once(work: Works) -> None:
    assert work(changed()).area.each([(2, 3), (4, 5)]) == [6, 20]
    assert work(changed()).area.each([]) == []


def test_what_cannot_cross_is_a_fault_of_the_test(work: Works) -> None:
    with pytest.raises(TypeError, match="a hidden test passes a set"):
        work(changed()).double({1})


def test_a_private_name_is_a_mistake_of_the_test(work: Works) -> None:
    shapes = work(changed())
    with pytest.raises(AttributeError):
        shapes._double  # noqa: B018
    with pytest.raises(AttributeError):
        work.student()._shapes  # noqa: B018


def test_another_question_is_a_mistake_of_the_test(work: Works) -> None:
    work(changed())
    with pytest.raises(AttributeError, match="a test of shapes asks for plots"):
        work.student().plots  # noqa: B018


def test_the_categories_that_python_shows_come_with_the_value(work: Works) -> None:
    source = "import warnings\nimport numpy as np\ndef double(x):\n  warnings.warn('old', DeprecationWarning)\n"
    value, seen = work(changed(source + "  return np.log(np.zeros(1)) * 0 + 2 * x")).double.with_warnings(3.0)
    assert (np.shape(value), seen) == ((1,), ["RuntimeWarning", "RuntimeWarning"])
    assert work(changed()).double.with_warnings(3.0) == (6.0, [])


@pytest.mark.parametrize("pair", ["5", "(6.0,)", "(6.0, None)", "(6.0, [np.arange(2)])", "(6.0, [5])"])
def test_a_list_of_categories_must_be_one(work: Works, pair: str) -> None:
    shapes = work(changed(f"{FORGE}\ndef double(x): instead(('returned', {pair}))"))
    assert_garbled(shapes.double.with_warnings, 3.0, why="did not return the warnings")


class TestKeptValues:
    CACHES = ("(x, [x])", "{'x': x, 5: {6}}", "lambda: x", "np.array([x, None])", "None", "object()")

    @pytest.mark.parametrize("cache", CACHES)
    def test_a_value_of_any_form_is_handed_back_as_the_same_object(self, work: Works, cache: str) -> None:
        source = f"import numpy as np\nmade = []\ndef double(x):\n  made.append({cache})\n  return 2 * x, made[-1]\n"
        shapes = work(changed(source + "def area(cache, height): return cache is made[-1]"))
        kept = shapes.double.keep(3.0, part=1)
        assert isinstance(kept, Remote)
        assert shapes.area(kept, 1) is True

    @pytest.mark.parametrize(
        ("value", "options", "kept"),
        [("(2 * x, [x])", {}, (6.0, [3.0])), ("2 * x", {"part": 1}, 6.0)],
        ids=["without a part", "a value without that part"],
    )
    def test_else_the_whole_value_is_kept(self, work: Works, value: str, options: dict[str, int], kept: object) -> None:
        shapes = work(changed(f"def double(x): return {value}\ndef area(value, height): return value"))
        assert shapes.area(shapes.double.keep(3.0, **options), 1) == kept

    def test_a_reply_must_be_an_object(self, work: Works) -> None:
        shapes = work(changed(f"{FORGE}\ndef double(x): instead(('returned', 5))"))
        assert_garbled(shapes.double.keep, 3.0, why="did not keep the value")


def test_attributes_are_read_assigned_and_called(work: Works) -> None:
    pile = work(changed()).Pile(["a"])
    assert isinstance(pile, Remote)
    pile.push("b")
    assert (pile.items, pile.height, pile.push_all(["c"])) == (["a", "b"], 1, ["a", "b", "c"])
    pile.items = ["z"]
    assert pile.push_all([]) == ["z"]


def test_objects_of_the_student_are_handed_back(work: Works) -> None:
    shapes = work(changed("def double(pile):\n  pile.push(5)\n  return [pile, {'it': pile}]"))
    pile = shapes.Pile([])
    first, second = shapes.double(pile)
    assert (pile.items, first.items, second["it"].items) == ([5], [5], [5])


def test_an_attribute_that_is_missing_ends_the_test(work: Works) -> None:
    failed = outcome(lambda: work(changed()).Pile([]).depth)
    assert (failed.kind, failed.error_type, failed.missing_name) == (OutcomeKind.RAISED, "AttributeError", "depth")


def test_an_object_is_no_plain_value(work: Works) -> None:
    pile = work(changed()).Pile([])
    with pytest.raises(TypeError, match="an object of class Pile is not a plain value"):
        assert pile == []
    with pytest.raises(TypeError, match="unhashable"):
        hash(pile)
    assert (repr(pile), describe(pile)) == ("<Pile of the student>", "an object of a class of your own")


@pytest.mark.parametrize("source", ["Pile = lambda items: 5", "class Pile(list): pass", "def Pile(items): return None"])
def test_what_a_class_makes_is_an_object_even_where_it_is_a_plain_value(work: Works, source: str) -> None:
    pile = work(changed(source)).Pile(["a"])
    assert isinstance(pile, Remote)
    assert outcome(lambda: pile.push("b")).error_type == "AttributeError"


@pytest.mark.parametrize("value", ["[]", "None", "5", "object()"])
def test_a_method_that_is_none_is_an_error_of_the_student(work: Works, value: str) -> None:
    pile = work(changed(f"Pile.push = {value}")).Pile(["a"])
    failed = outcome(lambda: pile.push("b"))
    assert (failed.kind, failed.error_type) == (OutcomeKind.RAISED, "TypeError")


class TestGenerator:
    SOURCE = "def double(rng): return rng.random()"

    def test_it_is_numpys_and_keeps_its_state(self, work: Works) -> None:
        shapes, rng = work(changed(self.SOURCE)), work.student().generator(7)
        right = np.random.default_rng(7)
        assert [float(shapes.double(rng)) for _ in range(3)] == [right.random() for _ in range(3)]


def refuse() -> None:
    """Refuse a call."""
    raise Refuse("batch of 3, at most 2")


# Calls that are errors of the student's, and what is told.
REFUSED = {
    "an unknown keyword": ("1, c=2", Callback(lambda a: a, keywords=(("a",),)), "unexpected keyword argument 'c'"),
    "a refusal": ("", Callback(refuse), "batch of 3, at most 2"),
    "unusable arguments": ("'text'", Callback(lambda x: 1.0 / x), "could not use these arguments (TypeError"),
    "large arguments": ("'x' * 2**20", Callback(len), "arguments too large"),
}


def test_positions_and_every_spelling_of_a_keyword_reach_the_function(work: Works) -> None:
    product = Callback(lambda a, b: a * b, keywords=(("a",), ("b", "second")))
    shapes = work(changed("def double(f): return [f(2, 3), f(2, b=4), f(2, second=5), f(b=6, a=1)]"))
    assert shapes.double(product) == [6, 8, 10, 6]


@pytest.mark.parametrize(("arguments", "callback", "told"), REFUSED.values(), ids=REFUSED)
def test_a_call_that_is_refused_is_an_error_of_the_student(
    work: Works, arguments: str, callback: Callback, told: str
) -> None:
    failed = outcome(work(changed(f"def double(f): return f({arguments})")).double, callback)
    assert (failed.kind, failed.error_type) == (OutcomeKind.RAISED, "ValueError")
    assert told in failed.message


def test_functions_of_the_grader_are_used(work: Works) -> None:
    shapes = work(changed("def double(draw): return [draw(), draw()]"))
    draws = iter([4, 2])
    assert shapes.double(Callback(lambda: next(draws))) == [4, 2]


@pytest.mark.parametrize("value", [{1}, np.array([10**30]), np.array(["a"]), np.broadcast_to(1.0, 2**25)], ids=str)
def test_a_value_that_cannot_cross_is_an_error_of_the_caller(work: Works, value: Any) -> None:
    failed = outcome(work(changed("def double(f): return f(1)")).double, Callback(lambda _: value))
    assert (failed.kind, failed.error_type) == (OutcomeKind.RAISED, "ValueError")
    assert failed.message.startswith("the grader's function could not use these arguments")


def test_objects_handed_through_a_callback_come_back_as_themselves(work: Works) -> None:
    shapes = work(changed("def double(f):\n  p = Pile([])\n  return f(p) is p"))
    assert shapes.double(Callback(lambda given: given)) is True


class TestNotWritten:
    STUBS = ("raise NotImplementedError", "return result", "return self.result")
    ERRORS = ("return other", "raise NameError", "return results", "result = result + x")

    @pytest.mark.parametrize("body", [*STUBS, *ERRORS])
    def test_stubs_are_not_written_and_other_names_are_errors(self, work: Works, body: str) -> None:
        shapes = work(changed(f"class Self: pass\nself = Self()\ndef double(x):\n  {body}"))
        kind = OutcomeKind.NOT_WRITTEN if body in self.STUBS else OutcomeKind.RAISED
        assert outcome(shapes.double, 1).kind is kind


def test_where_the_file_fails_every_request_fails_alike_and_says_so(work: Works) -> None:
    shapes = work(changed("def double(x: return x"))
    for _ in range(2):
        failed = outcome(shapes.double, 1)
        assert (failed.kind, failed.is_at_load, failed.error_type) == (OutcomeKind.RAISED, True, "SyntaxError")


def test_a_failure_of_the_sandbox_is_not_remembered_as_the_files() -> None:
    memory = WorkerMemory()
    with Zygote() as ended:
        sleeping = changed("import time\ntime.sleep(60)")
        attempt = make_attempt(sleeping, ended, seconds=2.0, memory=memory)
        ended.end = _fail  # type: ignore[method-assign]
        assert outcome(Student(attempt).shapes.double, 1).kind is OutcomeKind.SANDBOX_FAILED
    assert memory.loads["shapes", False, ()].failure is None


def _fail(_: int) -> Any:
    raise SandboxError("the zygote does not answer")


NO_REPLIES = ["5", "()", "('verdict', 'passed')", "('returned',)", "('returned', 1, 2)", "(np.arange(3), 5)"]
NO_REPLIES += ["(('returned',), 5)", "('callback',)", "('callback', 1, 2, 3)", "('raised',)", "('unsendable',)"]
NO_REPLIES += ["('raised', ['E'], 'x', (), np.arange(2), [])", "('raised', 'E', (np.arange(2),), '', '', ())"]
NO_REPLIES += ["('unsendable', np.arange(2))"]


@pytest.mark.parametrize("message", NO_REPLIES)
@pytest.mark.parametrize("place", ["def double(x): ", ""], ids=["in a call", "while the file loads"])
def test_what_is_no_reply_is_garbled(work: Works, place: str, message: str) -> None:
    shapes = work(changed(f"{FORGE}\n{place}instead({message})"))
    failed = assert_garbled(shapes.double, 1, why="that is no reply|a callback without its four parts")
    assert failed.is_at_load == (not place)


def test_a_forged_value_is_just_that_value(work: Works) -> None:
    shapes = work(changed(f"{FORGE}\ndef double(x):\n  instead(('returned', 7))"))
    assert shapes.double(1) == 7


@pytest.mark.parametrize("names", ["5", "None", "['double', [1]]", "[{}]", "(np.arange(2), 'double')", "{'double': 1}"])
def test_a_list_of_names_must_be_one(work: Works, names: str) -> None:
    shapes = work(changed(f"{FORGE}\ninstead(('returned', {names}))"))
    assert assert_garbled(shapes.double, 1, why="did not say what the file defines").is_at_load


@pytest.mark.parametrize("values", ["5", "[1]", "[1, 2, 3]", "np.arange(2)"])
def test_values_of_many_calls_must_be_as_many_as_calls(work: Works, values: str) -> None:
    shapes = work(changed(f"{FORGE}\ndef double(x):\n  if x == 1: instead(('returned', {values}))"))
    assert_garbled(shapes.double.each, [(1,), (2,)], why="did not answer each call")


@pytest.mark.parametrize("value", ["5", "[]", "None"])
def test_a_forged_object_must_be_one(work: Works, value: str) -> None:
    source = f"{FORGE}\nclass Pile:\n  def __init__(self, items): instead(('returned', {value}))"
    assert_garbled(work(changed(source)).Pile, [], why="did not return the object")


def test_a_handle_of_nothing_is_an_error_of_the_worker(work: Works) -> None:
    handle = "sys.modules['autograder.sandbox.protocol.wire'].Handle(10**6, 'Pile', True)"
    pile = work(changed(f"{FORGE}\ndef double(x):\n  instead(('returned', {handle}))")).double(1)
    assert isinstance(pile, Remote)
    assert outcome(lambda: pile.items).kind is OutcomeKind.DIED


@pytest.mark.parametrize(
    ("name", "kind"), [("'double'", OutcomeKind.NOT_WRITTEN), ("f'with {x}'", OutcomeKind.GARBLED)]
)
def test_a_name_that_is_missing_is_one_of_those_that_were_asked_for(work: Works, name: str, kind: OutcomeKind) -> None:
    """A hidden check shows that name."""
    missing = f"sys.modules['autograder.sandbox.worker.worker']._Missing({name})"
    work(changed(f"{FORGE}\ndef double(x): raise {missing}"))
    ((part,),) = work.attempts[-1].module("shapes").run([write_call("double", [1.0])])
    assert part.kind is kind
    assert "with" not in part.detail


def test_a_flood_of_messages_is_cut_off(work: Works) -> None:
    flood = "def flood():\n  while True: send(*[('callback', 0, '', wire.encode(((), {})))] * 1000)\n"
    shapes = work(changed(f"{FORGE}\n{flood}\ndef double(f): flood()"))
    assert_garbled(shapes.double, Callback(lambda: "x" * 2**20), why="more than one message at a time")


def test_a_thread_that_goes_on_sending_harms_its_own_test_only(work: Works) -> None:
    noisy = f"{FORGE}\nimport threading\ndef noise():\n  while True: send(('returned', 1))\n"
    noisy += "def double(x):\n  threading.Thread(target=noise, daemon=True).start()\n  return 2 * x"
    shapes = work(changed(noisy))
    for _ in range(3):
        try:
            assert shapes.double(1) in (1, 2)
        except CallFailed as error:
            assert error.outcome.kind is OutcomeKind.GARBLED  # noqa: PT017  (either is right)
    assert work(changed()).double(1) == 2
