"""A toy that student code gives to a function of the grader's stands for the grader's own copy of it there."""

from autograder.contracts import make_toy
from autograder.programs.calls import write_call
from autograder.sandbox.host.client import Zygote
from tests.selftest.support.made_judge import make_attempt
from tests.selftest.support.toy_question import changed


class Seven:
    """An object that doubles as 14."""

    def __rmul__(self, factor: int) -> int:
        """Multiply seven."""
        return factor * 7


def test_the_grader_calls_its_own_copy(zygote: Zygote) -> None:
    materials = changed("def double(x): return 0\ndef area(width, height): return double(width)")
    program = write_call("area", [make_toy(Seven), 1.0])
    for substituted, found in (((), 0), (("double",), 14)):
        run = make_attempt(materials, zygote, "area", substituted=substituted)
        try:
            assert run.module("shapes").run([program]) == [[found]]
        finally:
            run.close()
