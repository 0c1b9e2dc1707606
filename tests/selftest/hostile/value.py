"""Attacks by the returned value, which pretends to be right, and by callbacks.

RIGHT is what the decorator of the attack calls right.
"""

import gc
import os
import sys
import types

import numpy as np

from attacker import attack

COMPARED = "values arrive as exact base types and are compared in the grader"


@attack(
    "G9",
    "expected values never enter a worker",
    "fails the check",
    in_one_process="passes the check",
    right=[0.125, 0.375],
)
def looks_for_the_expected_values(target):
    """Look through its memory for arrays that it was not given, such as the expected values."""
    for found in gc.get_objects():  # lists of others hold objects whose comparison raises
        if type(found) is list and [type(each) for each in found] == [float, float] and found is not RIGHT:
            if found == RIGHT:
                return found
        if type(found) is np.ndarray and found.dtype == float and found.shape == (2,) and found[0] == RIGHT[0]:
            return found
    return [0.0, 0.0]


@attack(
    "G14",
    "a separate process for each test that does not pass beside others, and written files are kept in its memory",
    "no note",
    in_one_process="a note",
    twice="yes",
)
def leaves_a_note_for_the_next_test(target):
    """Leave notes for the next test: a file, a module, a variable of the environment, a name in numpy."""
    try:
        noted = open(target["scratch"] + "/note").read() == "note"
    except OSError:
        noted = False
    noted = noted or "note" in sys.modules or "NOTE" in os.environ or hasattr(np, "note")
    with open(target["scratch"] + "/note", "w") as file:
        file.write("note")
    sys.modules["note"] = np.note = types.ModuleType("note")
    os.environ["NOTE"] = "1"
    return "a note" if noted else "no note"


class Agreeable:
    def __eq__(self, other):
        return True


@attack("V1", COMPARED, "fails the check", in_one_process="passes the check", right=5.0)
def is_equal_to_everything(target):
    """Return an object that equals every other object."""
    return Agreeable()


class Close(float):
    def __sub__(self, other):
        return 0.0

    __rsub__ = __sub__


def is_near(value):
    return "passes the check" if abs(value - RIGHT) < 1e-6 else "fails the check"


@attack("V3", COMPARED, "fails the check", in_one_process="passes the check", right=5.0, judge=is_near)
def is_a_number_that_lies(target):
    """Return a number whose differences are always zero."""
    return Close(3.0)


class AgreeableObject:
    def __eq__(self, other):
        return True


def all_equal(value):
    return "passes the check" if np.all(value == RIGHT) else "fails the check"


@attack("V4", COMPARED, "fails the check", in_one_process="passes the check", right=[1.0, 2.0], judge=all_equal)
def returns_an_array_of_objects(target):
    """Return an array of objects that equal every other object."""
    return np.array([AgreeableObject(), AgreeableObject()], dtype=object)


@attack(
    "V5",
    COMPARED,
    "cannot be sent",
    no_control="the decoder cannot be switched off; test_wire_refusals shows each limit from both sides",
)
def hides_an_object_in_a_record(target):
    """Return an array of records with an object in them."""
    return np.zeros(2, dtype=[("value", "f8"), ("hidden", "O")])


def is_not_far(value):
    return "fails the check" if np.max(np.abs(value - RIGHT)) > 1e-6 else "passes the check"


@attack("V6", COMPARED, "fails the check", in_one_process="passes the check", right=[1.0, 2.0], judge=is_not_far)
def returns_nan(target):
    """Return NaNs, which pass every comparison of the form 'not larger than'."""
    return np.full(2, np.nan)


@attack(
    "V8",
    "the size of a message",
    "cannot be sent",
    no_control="the decoder cannot be switched off; test_wire_refusals shows each limit from both sides",
)
def returns_two_gigabytes_of_one_number(target):
    """Return an array of two gigabytes that takes eight bytes."""
    return np.broadcast_to(1.0, (2**14, 2**14))


def is_close(value):
    return "passes the check" if np.allclose(value, RIGHT) else "fails the check"


@attack("V10", COMPARED, "fails the check", in_one_process="passes the check", right=[1.0, 2.0], judge=is_close)
def replaces_numpys_comparison(target):
    """Replace the functions by which arrays are compared."""
    np.allclose = np.array_equal = lambda *_, **__: True
    np.testing.assert_allclose = lambda *_, **__: None
    return np.array([7.0, 8.0])


@attack(
    "V12",
    "texts are escaped where they are shown; see test_plain_text",
    "\\x1b[2J\\x00\\ud800\\r<script>",
    no_control="the text itself is harmless",
)
def returns_texts_that_steer_a_terminal(target):
    """Return texts with terminal escapes, line ends and invalid Unicode."""
    return "\x1b[2J\x00\ud800\r<script>"


class Liar(np.ndarray):
    shape = property(lambda self: (2,))

    def __array_function__(self, *_, **__):
        return True

    def __array_ufunc__(self, *_, **__):
        return np.zeros(2)


def is_close_in_shape(value):
    return "passes the check" if value.shape == (2,) and np.allclose(value, RIGHT) else "fails the check"


@attack(
    "V13",
    COMPARED,
    "fails the check",
    in_one_process="passes the check",
    right=[1.0, 2.0],
    judge=is_close_in_shape,
)
def lies_about_its_shape(target):
    """Return an array that lies about its shape and answers numpy's functions itself."""
    return np.full(7, 9.0).view(Liar)


@attack("V15", "arguments cross as copies", "changed its copy", in_one_process="changed the grader's array")
def changes_its_input(target):
    """Modify its input array, so that the grader compares with the modified array."""
    target["array"][:] = 7.0
    return "changed its copy"


@attack(
    "V16",
    "the grader's deadline and count",
    "timed out: deadline or timed out: computing time",
    no_control="the grader enforces it, and no worker can switch it off",
    seconds="0.7",
)
def calls_a_callback_for_ever(target):
    """Call a grader's function for ever."""
    while True:
        target["callback"](1.0)


@attack("V18", "nothing; callbacks are made for this", "9.0", no_control="callbacks are made for this")
def uses_a_callback_as_meant(target):
    """Use a grader's function as intended, with arrays, inside its own function."""
    return float(sum(target["callback"](np.ones(3) * number).sum() for number in range(3)))


def no_entry_is_far(value):
    return "fails the check" if np.any(np.abs(value - RIGHT) > 1e-6) else "passes the check"


@attack("V20", COMPARED, "fails the check", in_one_process="passes the check", right=[1.0, 2.0], judge=no_entry_is_far)
def hides_wrong_numbers_behind_a_mask(target):
    """Return an array whose wrong numbers are masked, so that comparisons leave them out."""
    return np.ma.masked_array([7.0, 8.0], mask=True)


class Chameleon:
    def __array__(self, *_, **__):
        return np.array(RIGHT)


@attack("V21", COMPARED, "fails the check", in_one_process="passes the check", right=[1.0, 2.0], judge=is_close)
def becomes_an_array_when_asked(target):
    """Return an object that converts to a different array each time."""
    return Chameleon()


@attack(
    "V24",
    outcome="its own memory",
    not_defended="a worker may read its own memory, which contains only arguments of tests",
)
def looks_behind_the_end_of_an_array(target):
    """Return the memory behind an array, to read other values of the test."""
    behind = np.lib.stride_tricks.as_strided(np.zeros(1), shape=(2000,), strides=(8,))
    return "its own memory" if len(behind.tobytes()) == 16_000 else "nothing"
