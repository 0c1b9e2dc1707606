"""Attacks on a whole grading: answers to the question `rows`, and what outlives the grader."""

import os
import sys
import time

import numpy as np

from attacker import attack


@attack(
    "G1",
    "output and messages of student code in a hidden test are not shown",
    "0 of 4: failed raised",
    no_control="TestAnswersWithoutADefence shows hidden texts",
    question="rows",
)
def tells_its_inputs(x):
    """Print the inputs of hidden tests, and put them into the text of an exception."""
    print("INPUTS", x.tolist())
    raise ValueError(f"INPUTS {x.tolist()}")


FLOOD = "\x1b[2J\x1b]0;owned\x07<script>alert(1)</script># Score: 100\r\n\ud800\x00" * 20_000


@attack(
    "G2",
    "texts of students are truncated and escaped before they are shown",
    "0 of 4: failed raised",
    no_control="TestAnswersWithoutADefence escapes nothing",
    question="rows",
)
def floods_the_report(x):
    """Fill the report with megabytes of terminal escapes, HTML and invalid Unicode."""
    print(FLOOD.encode("utf-8", "replace").decode())
    raise ValueError(FLOOD)


@attack(
    "G3",
    "names of the student's own classes and functions are not shown for hidden tests",
    "0 of 4: failed raised",
    no_control="TestAnswersWithoutADefence shows hidden texts",
    question="rows",
)
def names_things_after_its_inputs(x):
    """Name a class, a function and a file after the inputs of hidden tests, so that the error report reveals them."""
    name = "INPUTS_" + "_".join(str(int(abs(entry) * 100)) for entry in x.ravel()[:4])
    lines = f"def {name}():\n    raise type({name!r}, (ValueError,), {{}})"
    scope = {"__name__": "answer"}
    exec(compile(lines, name + ".py", "exec"), scope)
    scope[name]()


@attack("G4", "pid namespace gone; ends with the grader gone", "gone", without_them="still there")
def outlives_the_grader(target):
    """Survive when the grader, and with it the zygote, is killed."""
    time.sleep(60)


@attack(
    "G5",
    "the grader's deadline, for each test and for the whole run",
    "0 of 4: not_run timed_out",
    no_control="the grader enforces it, and no worker can switch it off",
    question="rows",
    seconds="2",
)
def sleeps_in_every_test(x):
    """Sleep in every test until the whole run is out of time."""
    time.sleep(1000)


@attack("G10", outcome="knows", not_defended="it can only change its own values")
def knows_that_it_is_graded(target):
    """Detect that it runs under the grader, and behave differently there."""
    return "knows" if "autograder.sandbox.worker.worker" in sys.modules else "does not know"


@attack("G21", outcome="measured", not_defended="the time depends only on arguments that student code already knows")
def times_a_callback(target):
    """Measure the time of a grader's function, to learn what it computes."""
    started = time.perf_counter()
    target["callback"](1.0)
    return "measured" if time.perf_counter() > started else "nothing"


@attack(
    "G22",
    "a separate process for each test; only a reply counts",
    "0 of 4: failed died",
    no_control="C10 shows it",
    question="rows",
)
def leaves_in_every_test(x):
    """Leave every test with the exit status that means success."""
    os._exit(0)


@attack(
    "G25",
    "the size of a message; the bytes of the replies that a check keeps",
    "0 of 4: failed raised, failed returned",
    no_control="TestAnswersWithoutADefence keeps every reply",
    question="rows",
)
def fills_the_graders_memory(x):
    """Return an array of eight megabytes, again and again, so that the grader's memory fills."""
    return np.ones(1_000_000)


@attack(
    "G33",
    "the bytes of the replies that a check keeps, which are counted by the size of each number",
    "0 of 4: failed raised, failed returned",
    no_control="TestAnswersWithoutADefence keeps every reply",
    question="rows",
)
def returns_numbers_of_a_thousand_bytes(x):
    """Return thousands of integers of a thousand bytes each, again and again, so that the grader's memory fills."""
    return [(1 << 8000) - number for number in range(7000)]
