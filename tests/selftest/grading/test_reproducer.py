"""The lines at the end of a failed visible test, put into a file beside the student's, show the wrong answer."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autograder.grading.explain import REPRODUCER
from autograder.grading.reproducer import NO_LINES, RecordedRequest, Spelling, write_reproducer
from autograder.results import CheckResult, Visibility
from autograder.sandbox.host.callback_source import CallbackSource, read_callback_source
from autograder.sandbox.host.callbacks import Callback
from autograder.sandbox.protocol.wire import Handle
from autograder.submission import read_submission
from tests.selftest.support.grading import ASSIGNMENT, PROJECT, checks_of, grader, reference_text
from tests.selftest.support.pasted_lines import read_lines

RIGHT = PROJECT / "tests" / "selftest" / "right"
WRONG = {
    "doubles": "\n_right = {name}\ndef {name}(*arguments):\n    return 2 * np.asarray(_right(*arguments))\n",
    "doubles the second": """
_right = {name}
def {name}(*arguments):
    first, second, *others = _right(*arguments)
    return first, 2 * second, *others
""",
    "turns": """
_right = PartialParse.{name}
def {name}(self, transition):
    _right(self, transition)
    self.dependencies = [pair[::-1] for pair in self.dependencies]
PartialParse.{name} = {name}
""",
    "compares": """
_right = PartialParse.{name}
def {name}(self, transition):
    _right(self, "LA" if transition is "LA" else "S")
PartialParse.{name} = {name}
""",
    "shuffles": "\n_right = {name}\ndef {name}(*arguments):\n    return _right(*arguments)[::-1]\n",
    "raises": "\ndef {name}(*arguments):\n    raise ValueError('not like this')\n",
}
# The folder of `right/`, its file, the function there, what is wrong with it, and the number of a visible test.
CASES = [
    ("homework", "q1c_neural.py", "forward", "doubles", "9.4"),
    ("homework", "q1c_neural.py", "forward_backward_prop", "doubles the second", "9.11"),
    ("course_2017", "q3_word2vec.py", "softmaxCostAndGradient", "doubles the second", "1.7"),
    ("course_2017", "q3_word2vec.py", "skipgram", "doubles the second", "1.29"),
    ("course_2017", "q3_sgd.py", "sgd", "doubles", "2.3"),
    ("course_snake_case", "word2vec.py", "neg_sampling_loss_and_gradient", "doubles the second", "1.15"),
    ("course_snake_case", "word2vec.py", "skipgram", "raises", "1.28"),
    ("plain", "adam.py", "adam_step", "doubles the second", "4.9"),
    ("plain", "dropout.py", "dropout_forward", "raises", "5.3"),
    ("plain", "parser_network.py", "loss_and_gradients", "raises", "7.28"),
    ("plain", "parser_transitions.py", "parse_step", "turns", "6.7"),
    ("plain", "parser_transitions.py", "minibatch_parse", "shuffles", "6.14"),
]


def failed_test(folder: Path, number: str) -> CheckResult:
    """The result of one test of the submission in a folder."""
    stem = ASSIGNMENT.questions[int(number.partition(".")[0]) - 1].stem
    report = grader().grade(read_submission(folder, ASSIGNMENT, only=[stem]))
    (check,) = [check for check in report.checks if check.number == number]
    return check


def add_course_modules(folder: Path) -> None:
    """Put what starter code imports beside the student's files."""
    for module, (text, is_package) in ASSIGNMENT.starter_modules.items():
        path = folder.joinpath(*module.split("."), *["__init__"] * is_package).with_suffix(".py")
        path.parent.mkdir(exist_ok=True)
        if not path.exists():
            path.write_text(text, encoding="utf-8")


def shown_by(text: str, folder: Path) -> str:
    """What Python prints for the lines in a file of that folder, errors too."""
    (folder / "try_it.py").write_text(text, encoding="utf-8")
    command = [sys.executable, "-c", "import numpy; numpy.set_printoptions(precision=12); import try_it"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    return done.stdout + done.stderr


def numbers_in(text: str) -> list[float]:
    """The decimal numbers of a text."""
    return [float(number) for number in re.findall(r"-?\d+\.\d*(?:e[-+]\d+)?", text)]


@pytest.mark.parametrize(("style", "file", "name", "wrong", "number"), CASES, ids=[f"{c[1]}-{c[2]}" for c in CASES])
def test_pasted_beside_the_file_it_shows_the_failure(
    style: str, file: str, name: str, wrong: str, number: str, tmp_path: Path
) -> None:
    for path in (RIGHT / style).glob("*.py"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    with (tmp_path / file).open("a", encoding="utf-8") as source:
        source.write("\nimport numpy as np\n" + WRONG[wrong].format(name=name))
    check = failed_test(tmp_path, number)
    assert check.score == check.kept  # a general kind of error keeps a share
    lines = read_lines(check)
    assert len(lines.splitlines()) <= 30
    add_course_modules(tmp_path)
    shown = shown_by(lines, tmp_path)
    found = re.findall(r"^  found.*?: +(.*)$", check.output, re.MULTILINE)[-1]
    if wrong == "raises":
        assert "ValueError: not like this" in shown
    elif numbers_in(found):
        assert any(abs(each - numbers_in(found)[0]) <= 1e-6 * abs(each) for each in numbers_in(shown))
    else:
        assert re.findall(r"\('.*?'\)", found)[0] in shown


def test_a_comparison_of_objects_fails_for_the_student_too(tmp_path: Path) -> None:
    text = (RIGHT / "plain" / "parser_transitions.py").read_text() + WRONG["compares"].format(name="parse_step")
    (tmp_path / "parser_transitions.py").write_text(text)
    check = failed_test(tmp_path, "6.6")
    assert check.title == "parse_step: left-arc"
    lines = read_lines(check)
    assert """parse.parse_step("".join('LA'))""" in lines
    assert "parse.stack = ['ROOT', 'the', 'cat']" in lines
    assert lines.endswith('compare texts with ==, not with "is"')
    length = f"{lines}\nprint('length', len(parse.stack))"
    assert "length 4\n" in shown_by(length, tmp_path)  # a shift
    assert "length 2\n" in shown_by(length.replace('"".join', ""), tmp_path)


def asked(*arguments: Any, kind: str = "call", reply: object = None) -> list[RecordedRequest]:
    """One call of the function f of the module work."""
    return [RecordedRequest(kind, (Handle(1, "function", True), arguments), reply)]


def lines(requests: Sequence[RecordedRequest], *remarks: str) -> str:
    """The lines for these requests."""
    return write_reproducer(requests, {1: Spelling("work", "f", ("x", "y"))}, remarks).text


class TestLines:
    def test_short_arguments_are_written_where_they_are_used(self) -> None:
        assert lines(asked(0.5, [1, "a"]), "f(x): expected: 3") == (
            "from work import f\nprint(f(0.5, [1, 'a']))\n# f(x): expected: 3"
        )

    def test_long_ones_get_the_name_of_the_parameter(self) -> None:
        x, y = np.arange(12.0).reshape(3, 4) / 8, {"W": np.ones(2), "b": [None, True, (1,)]}
        text = lines(asked(x, y))
        assert text.startswith("import numpy as np\nfrom work import f\nx = np.array([[0.0, 0.125, ")
        assert "y = {'W': np.array([1.0, 1.0]), 'b': [None, True, (1,)]}" in text
        assert text.endswith("print(f(x, y))")

    @pytest.mark.parametrize(
        ("value", "text"),
        [
            (np.zeros((0, 3)), "np.zeros((0, 3))"),
            (np.array([1, 2]), "np.array([1, 2])"),
            (np.array([True]), "np.array([True])"),
            (np.array([0.5], dtype=np.float32), "np.array([0.5], dtype=np.float32)"),
            (np.array(0.1 + 0.2), "np.array(0.3)"),
            (float("inf"), "float('inf')"),
        ],
        ids=str,
    )
    def test_an_argument_has_its_type(self, value: Any, text: str) -> None:
        said = lines(asked([value, "a text that makes it long"]))
        assert f"[{text}," in said

    def test_texts_that_are_compared_as_objects_are_other_objects(self) -> None:
        given, known = asked(["LA", "S", "RA"], {"LA": 1}), {1: Spelling("work", "f", ("x", "y"))}
        text = write_reproducer(given, known, fresh_texts={"LA", "S"}).text
        assert """f(["".join('LA'), 'S', 'RA'], {"".join('LA'): 1})""" in text
        assert "join" not in write_reproducer(given, known).text

    def test_only_the_last_call_is_repeated(self) -> None:
        assert lines([*asked(1), *asked(2)]).endswith("print(f(2))")
        assert "f(1)" not in lines([*asked(1), *asked(2)])

    def test_a_function_of_the_graders_has_its_text(self) -> None:
        def twice(x: float) -> float:
            """Double."""
            return 2 * x

        text = lines(asked(Callback(twice, source=read_callback_source(twice))))
        assert text == "from work import f\ndef twice(x):\n    return 2 * x\n\nprint(f(twice))"

    def test_a_generator_is_made_again_where_it_was_not_used_before(self) -> None:
        rng = Handle(7, "Generator", False)
        made = [RecordedRequest("generator", (53,), rng)]
        assert lines([*made, *asked(rng)]).endswith("print(f(np.random.default_rng(53)))")
        assert lines([*made, *asked(rng), *asked(rng)]) == ""

    def test_a_value_that_stayed_in_the_worker_is_made_again_by_its_call(self) -> None:
        kept = Handle(7, "tuple", False)
        made = RecordedRequest("call_keeping_value", (Handle(1, "function", True), (2, 3), 1), kept)
        given = np.arange(12.0).reshape(3, 4)
        text = lines([made, *asked(given, kept)])
        # x is assigned after the call that made y, which may use the name too
        assert re.search(r"y = f\(2, 3\)\[1\]\nx = np.array\(.*\nprint\(f\(x, y\)\)$", text, re.DOTALL)
        whole = RecordedRequest("call_keeping_value", (Handle(1, "function", True), (2, 3)), kept)
        assert "y = f(2, 3)\n" in lines([whole, *asked(given, kept)])

    @pytest.mark.parametrize(
        "argument",
        [
            np.zeros(1000),
            Handle(9, "thing", False),
            Callback(print),
            np.array([np.nan]),
            object(),
            "two words " * 30,
            [["x" * 100] for _ in range(40)],
            Callback(print, source=CallbackSource("\n".join(["pass"] * 40), "f")),
        ],
        ids=["large", "object", "function", "not finite", "unknown", "broken text", "many lines", "long source"],
    )
    def test_there_are_none_for_what_has_no_short_text(self, argument: Any) -> None:
        assert lines(asked(argument)) == ""

    def test_there_are_none_where_nothing_or_something_else_was_asked(self) -> None:
        assert lines([]) == ""
        assert write_reproducer(asked(1), {}) == NO_LINES

    def test_all_that_was_done_to_an_object_is_done_again(self) -> None:
        it, other = Handle(5, "SmallParse", False), Handle(6, "SmallParse", False)
        made = [RecordedRequest("call", (Handle(1, "SmallParse", True), (["a"],)), each) for each in (it, other)]
        steps = [
            RecordedRequest("set", (it, "stack", [])),
            RecordedRequest("set", (other, "stack", ["b"])),
            RecordedRequest("get", (it, "buffer"), []),
            RecordedRequest("call_method", (it, "step", ("S",))),
        ]
        seen = [RecordedRequest("get", (it, "stack"), []), RecordedRequest("get", (it, "buffer"), [])]
        spellings = {1: Spelling("work", "SmallParse", ("sentence",))}
        done = "from work import SmallParse\nparse = SmallParse(['a'])\nparse.stack = []\n"
        assert write_reproducer([*made, *steps], spellings).text == done + "print(parse.step('S'))"
        assert write_reproducer([*made, *steps, *seen], spellings).text == (
            done + "parse.step('S')\nprint(parse.stack, parse.buffer)"
        )
        assert write_reproducer(made[:1], spellings).text == done.rpartition("parse.stack")[0].rstrip()


def test_a_test_that_is_not_visible_has_none() -> None:
    checks = checks_of("word2vec", reference_text("word2vec") + WRONG["raises"].format(name="sigmoid"))
    shown = {check.visibility for check in checks.values() if REPRODUCER in check.output}
    assert shown == {Visibility.VISIBLE}
