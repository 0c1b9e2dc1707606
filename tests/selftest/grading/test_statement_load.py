"""A file that fails at its top level is loaded statement by statement, and only what fails of it is left out."""

import re
from contextlib import closing
from typing import Any

import pytest

from autograder.grading.material import Material
from autograder.grading.memory import FileLoad, WorkerMemory
from autograder.programs.outcome import CallFailed, Outcome, OutcomeKind
from autograder.results import Verdict
from autograder.sandbox import limits as limit
from autograder.sandbox.host.client import Zygote
from autograder.sandbox.protocol import messages
from autograder.student import Student
from autograder.submission import SourceFile, source_scan
from tests.selftest.support.made_judge import make_attempt
from tests.selftest.support.toy_assignment import checks_of, reference_text, report_on
from tests.selftest.support.toy_question import submission

pytestmark = pytest.mark.slow

RIGHT = "def double(x):\n    return 2 * x\n"
CELLS = """# code cell 1
%time
def later(x):
    # not written

# code cell 2
two = 2

# code cell 3
def double(x):
    return two * x

# code cell 4
'''and so on

# code cell 5
two *= 1
"""


PARSED_ALONE = (
    "return 1",
    "yield 1",
    "if True:\n    break",
    "async for x in y():\n    pass",
    "def f():\n    x = 1\n    global x",
    "def f():\n    from math import *",
)


class Loads:
    """Loads toy submissions, each in a worker of its own, with one memory."""

    def __init__(self, zygote: Zygote) -> None:
        self._zygote = zygote
        self.memory = WorkerMemory()

    def double(self, materials: dict[str, Material], number: Any = 3, **options: Any) -> Any:
        """The value of double, or the outcome of a call that gives none; `options`: of the attempt."""
        with closing(make_attempt(materials, self._zygote, memory=self.memory, **options)) as attempt:
            try:
                return Student(attempt).shapes.double(number)
            except CallFailed as error:
                return error.outcome

    @property
    def load(self) -> FileLoad:
        """The record of the loads."""
        return self.memory.loads["shapes", False, ()]

    @property
    def notes(self) -> list[str]:
        """The notes for the student."""
        return self.load.write_notes()


@pytest.fixture
def loads(zygote: Zygote) -> Loads:
    """A submission's loads in one pass."""
    return Loads(zygote)


FAILING = {
    "raise ValueError('no data')": "it raised ValueError: no data",
    "raise NotImplementedError": "it raised NotImplementedError",
    "class Odd(BaseException): pass\nraise Odd('no')": "it raised Odd: no",
    "raise SystemExit(0)": "it ended the program",
    "exit()": "it ended the program",
    "import sys\nsys.exit('bye')": "it ended the program",
    "name = input('Your name: ')": "it asked for input, and nobody answers in the grader",
    "get_ipython().run_line_magic('matplotlib', 'inline')": "only a notebook has get_ipython",
    "for n in range(3):\n    print(n)\n    raise KeyboardInterrupt": "it raised a KeyboardInterrupt",
    "open('vectors.txt')": "it raised FileNotFoundError: [Errno 2] No such file or directory: 'vectors.txt'; "
    "the grader supplies no data files",
    "exec(open('tools.py').read())": "it raised FileNotFoundError: [Errno 2] No such file or directory: 'tools.py'; "
    "import a Python file of yours in place of opening it",
    "while True: pass": "it did not end within a second",
    "while True:\n    try:\n        while True: pass\n    except BaseException: pass": "it did not end within a second",
    "import time\ntime.sleep(100)": "it did not end within a second",
    "import os\nos._exit(0)": "it ended the whole Python process",
    "while True: print('x' * 1000)": "it printed without end",
}


def mark_endless(lines: dict[str, str]) -> list[Any]:
    """Have `--ci` alone run lines that take as long as they may."""
    return [pytest.param(*each, marks=pytest.mark.ci if "while True" in each[0] else ()) for each in lines.items()]


@pytest.mark.parametrize(("line", "reason"), mark_endless(FAILING), ids=[text.split("\n")[-1][:25] for text in FAILING])
def test_what_fails_is_left_out_and_all_else_is_there(loads: Loads, line: str, reason: str) -> None:
    work = submission(f"{line}\n{RIGHT}")
    assert loads.double(work) == 6
    number = 2 if line.startswith(("import", "class")) else 1
    assert loads.notes == [f"shapes.py line {number} was left out: {reason}"]
    assert loads.double(work) == 6
    assert loads.load.failure is None


LATER = "raise ValueError\ntriple = lambda x: 3 * x\ndouble = triple\nimport nothing\nnothing.use(double)\n"
READ_FIRST = '"""Shapes."""\nfrom __future__ import annotations\nexit()\n'
SECOND = f"exit()\n{RIGHT}open('vectors.txt')\n"
# What a file gives for the double of 3, and the statements of which there is a note.
LOADED = {
    "print": (submission(f"{RIGHT}print(1)\n"), 6, []),
    "drawing": (submission(f"import matplotlib.pyplot as plt\nplt.plot([1])\nplt.show()\n{RIGHT}"), 6, []),
    "main": (submission(f"{RIGHT}if __name__ == '__main__':\n    raise ValueError\n"), 6, []),
    "magics": (submission(f"%matplotlib inline\n!pip install numpy\n{RIGHT}double?\n"), 6, []),
    "magics whose result has a name": (submission(f"files = !ls -l\nslow, fast = %timeit -o f(\n{RIGHT}"), 6, []),
    "magics of several lines": (submission(f"!pip install numpy \\\n    scipy \\\n -q\n{RIGHT}!ls \\"), 6, []),
    "magics without their sign": (submission(f"pip install -q numpy\nmatplotlib inline\ncd ..\n{RIGHT}"), 6, []),
    "magics in a block": (submission(f"if True:\n    %load_ext autoreload\n    ?print\n{RIGHT}"), 6, []),
    "a formula": (submission("%time\ndef double(x):\n    return (2 * x\n        % 4)\n"), 2, []),
    "main, where a statement fails": (
        submission(f"exit()\n{RIGHT}if __name__ == '__main__':\n    del double\n"),
        6,
        ["shapes.py line 1"],
    ),
    "a function as the rest of the file leaves it": (
        submission(RIGHT + LATER),
        9,
        ["shapes.py line 3", "shapes.py line 7"],
    ),
    "what Python reads before all else": (
        submission(READ_FIRST + RIGHT.replace("x)", "x: Unknown)", 1)),
        6,
        ["shapes.py line 3"],
    ),
    "what Python reads before all else, in a later cell of a notebook": (
        submission(f"'Shapes.'\n%time\nfrom __future__ import annotations\n{RIGHT.replace('x)', 'x: Unknown)', 1)}"),
        6,
        [],
    ),
    "cells of a notebook that do not compile": (submission(CELLS), 6, ["shapes.py line 1", "shapes.py line 13"]),
    **{
        f"a cell with {cell!r}, which can be parsed": (
            submission(f"# code cell 1\n{RIGHT}\n# code cell 2\n{cell}\n"),
            6,
            ["shapes.py line 5"],
        )
        for cell in PARSED_ALONE
    },
    "a file that it imports": (
        submission("from tools import double", tools=SECOND),
        6,
        ["tools.py line 1", "tools.py line 4"],
    ),
    "another file beside one that fails": (
        submission("import other\nraise ValueError\n", also={"double": "other"}, other=SECOND),
        6,
        ["other.py line 1", "other.py line 4", "shapes.py line 2"],
    ),
    "another file beside one that does not compile": (
        submission("print 'x'\n", also={"double": "other"}, other=RIGHT),
        6,
        [],
    ),
    "another file that is not needed": (submission(RIGHT, also={"double": "other"}, other="exit()\n"), 6, []),
}


@pytest.mark.parametrize(("work", "value", "lines"), LOADED.values(), ids=LOADED)
def test_each_file_is_loaded_as_far_as_it_goes(
    loads: Loads, work: dict[str, Material], value: int, lines: list[str]
) -> None:
    assert loads.double(work) == value
    assert [note.partition(" was left out: ")[0] for note in loads.notes] == lines
    assert loads.load.by_statements or not lines


def test_a_cell_of_a_notebook_that_does_not_compile_is_told_with_its_line(loads: Loads) -> None:
    assert loads.double(submission(CELLS)) == 6
    assert re.search("this cell does not compile: .+, in its line 1$", loads.notes[1])


def test_a_function_that_is_itself_left_out_is_missing_and_says_why(loads: Loads) -> None:
    found = loads.double(submission(f"from functools import no_cache\n\n@no_cache\n{RIGHT}"))
    lines = "left out, because it failed: shapes.py line 1, shapes.py line 3"
    assert (found.kind, found.detail) == (OutcomeKind.NOT_WRITTEN, f"the file does not define double; {lines}")


@pytest.mark.ci
def test_a_file_that_takes_all_of_a_workers_time_is_not_loaded_again(loads: Loads) -> None:
    slow = "end = time.process_time() + 0.3\nwhile time.process_time() < end: pass\n"  # a tenth of its 3 s by the clock
    found = loads.double(submission(f"import time\n{slow * limit.CPU_S * 4}{RIGHT}"))
    assert (found.kind, found.is_at_load) == (OutcomeKind.TIMED_OUT, True)
    assert loads.load.failure == found


def test_a_file_that_it_imports_and_that_does_not_compile_costs_its_import(loads: Loads) -> None:
    assert loads.double(submission(f"import tools\n{RIGHT}", tools="def double(x: return")) == 6
    (note,) = loads.notes
    assert note.startswith("shapes.py line 1 was left out: it raised SyntaxError: ")


NO_MAGICS = (f"{RIGHT}cat = (1, 2\n", f"{RIGHT}if 1 =! 2: 3\n")  # that look like lines of a notebook


@pytest.mark.parametrize(
    "text", ["def double(x: return x\n", f"{RIGHT}return\n", f"exit()\n{RIGHT}break\n", *NO_MAGICS]
)
def test_a_syntax_error_costs_all_of_the_file(loads: Loads, text: str) -> None:
    found = loads.double(submission(text))
    assert (found.kind, found.is_at_load, found.error_type) == (OutcomeKind.RAISED, True, "SyntaxError")
    assert found.frames[-1].line == text.count("\n")
    assert loads.notes == []


AND_THE_REST = "; all lines after it were left out too, since it is the second such statement"
ENDING = {
    "import os; os._exit(3)": "it ended the whole Python process",
    "import os; os.kill(os.getpid(), 9)": "it ended the whole Python process",
    "while True: pass": "it did not end within a second",
}


@pytest.mark.parametrize(("line", "reason"), mark_endless(ENDING))
def test_after_two_statements_that_end_a_worker_what_stands_before_still_counts(
    loads: Loads, line: str, reason: str
) -> None:
    work = submission(f"{line}\n{RIGHT}{line}\ndouble = None\n{line}\n")
    assert loads.double(work) == 6
    first, second = f"shapes.py line 1 was left out: {reason}", f"shapes.py line 4 was left out: {reason}{AND_THE_REST}"
    assert loads.notes == [first, second]
    assert loads.double(work) == 6


def test_a_function_after_two_such_statements_is_missing_and_says_why(loads: Loads) -> None:
    found = loads.double(submission("import os\n" + "os._exit(3)\n" * 300 + RIGHT))
    lines = "left out, because it failed: shapes.py line 2, shapes.py line 3 and all after it"
    assert (found.kind, found.detail) == (OutcomeKind.NOT_WRITTEN, f"the file does not define double; {lines}")


def test_each_file_has_two_such_statements(loads: Loads) -> None:
    ending = "import os\nos._exit(3)\n"
    work = submission(2 * ending, also={"double": "other"}, other=ending + RIGHT + ending)
    assert loads.double(work) == 6
    assert [(each.path, each.line) for each in loads.load.left_out] == [
        ("other.py", 2),
        ("other.py", 6),
        ("shapes.py", 2),
        ("shapes.py", 4),
    ]


@pytest.mark.parametrize(("was_killed", "workers"), [(False, 3), (True, 5)])
def test_a_file_that_ends_at_another_statement_each_time_is_given_up(was_killed: bool, workers: int) -> None:
    load = FileLoad(by_statements=True)
    outcomes = []
    for stop in range(100, 0, -1):
        worker = _EndsAt(stop, Outcome(OutcomeKind.DIED, was_killed=was_killed))
        with pytest.raises(CallFailed) as caught:
            load.run(worker, SourceFile("shapes.py", "", "shapes"), {"shapes.py": 1})
        outcomes.append(caught.value.outcome)
        if not load.learn(outcomes[-1]):
            break
    assert len(outcomes) == workers == 1 + limit.ENDING_STATEMENTS + was_killed * limit.KILLS_AT_LOAD


class _EndsAt:
    """Stands for a worker that ends at one of a file's statements."""

    def __init__(self, stop: int, outcome: Outcome) -> None:
        self._stop = stop
        self._outcome = outcome

    def __call__(self, request: tuple[object, ...]) -> list[int]:
        if request == (messages.RUN_STATEMENT, self._stop - 1):
            raise CallFailed(self._outcome)
        return list(range(1, 101)) if request[0] == messages.BEGIN_STATEMENTS else []


def test_only_so_many_statements_are_run_one_by_one(loads: Loads) -> None:
    found = loads.double(submission(f"exit()\n{'pass;' * limit.STATEMENTS}\n{RIGHT}"))
    assert found.detail == f"the file has more than {limit.STATEMENTS} statements at its top level"


def test_only_the_first_lines_left_out_are_listed(loads: Loads) -> None:
    assert loads.double(submission("exit()\n" * 9 + RIGHT)) == 6
    assert loads.notes[4:] == ["shapes.py line 5 was left out: it ended the program", "4 more statements were left out"]


@pytest.mark.parametrize("reply", ["5", "[5]", "[('a', 1, 'E')]", "[('a', '1', 'E', '')]", "[(b'', 1, 'E', '')]"])
def test_a_worker_that_lies_about_what_it_left_out_is_garbled(loads: Loads, reply: str) -> None:
    text = "import sys\nloader = sys.modules['autograder.sandbox.worker.importer'].StudentModules\n"
    found = loads.double(submission(f"{text}loader.run_statement = lambda self, index: {reply}\nexit()\n{RIGHT}"))
    assert (found.kind, found.detail) == (OutcomeKind.GARBLED, "the worker did not say how a statement ended")


@pytest.mark.parametrize("reply", [5, ["1"], [None], {}], ids=repr)
def test_a_worker_that_lies_about_its_statements_is_garbled(reply: object) -> None:
    with pytest.raises(CallFailed) as caught:
        FileLoad(by_statements=True).run(lambda _: reply, SourceFile("shapes.py", "", "shapes"), {})
    assert caught.value.outcome.detail == "the worker did not say which statements the file has"


def test_another_file_that_does_not_compile_costs_its_function_alone(loads: Loads) -> None:
    work = submission("def area(x):\n    return x\n", also={"double": "other"}, other="def double(x: return")
    found = loads.double(work)
    assert (found.kind, found.error_type) == (OutcomeKind.RAISED, "SyntaxError")
    assert loads.load.failure is None
    assert loads.notes == []


def test_names_and_texts_of_the_students_are_escaped(loads: Loads) -> None:
    text = "raise type('x' * 100, (Exception,), {})('\\x1b[31mred\\n' + 'y' * 1000)\n"
    assert loads.double(submission(text + RIGHT)) == 6
    (note,) = loads.notes
    assert note.startswith("shapes.py line 1 was left out: it raised an exception without a proper name: ")
    assert note.isprintable()
    assert len(note) < 300


def test_a_report_has_the_notes_beside_the_question() -> None:
    report = report_on(
        {
            "descent": "import numpy as np\nnp.loadtxt('tree.txt')  # needs late libraries\n"
            + reference_text("descent"),
            "averages": reference_text("averages"),
        }
    )
    assert {check.verdict for check in report.checks} == {Verdict.PASSED}
    descent, averages = report.questions
    assert [note.split(":")[0] for note in descent.notes] == ["descent.py line 2 was left out"]
    assert averages.notes == ()


@pytest.mark.parametrize("place", [("other.py", 1), ("shapes.py", 0), ("shapes.py", 9), ("all 10 of 10 points", 1)])
def test_a_worker_names_only_lines_that_exist(place: tuple[str, int]) -> None:
    def answer(request: tuple[object, ...]) -> object:
        return [(*place, "ValueError", "no")] if request[0] == messages.RUN_STATEMENT else [1]

    load = FileLoad(by_statements=True)
    with pytest.raises(CallFailed) as caught:
        load.run(answer, SourceFile("shapes.py", "", "shapes"), {"shapes.py": 8})
    assert caught.value.outcome.kind is OutcomeKind.GARBLED
    assert load.write_notes() == []


def test_a_file_is_not_searched_anew_in_each_case(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[str] = []
    blank = source_scan._blank_comments_and_strings
    monkeypatch.setattr(source_scan, "_blank_comments_and_strings", lambda text: searched.append(text) or blank(text))
    checks_of("rows", "x = 1\n")  # each case asks where the function is
    assert len(searched) < 8
