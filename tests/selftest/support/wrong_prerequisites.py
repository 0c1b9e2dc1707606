"""Wrong prerequisites: grades right submissions in which one function is wrong, and says what that costs elsewhere."""

from collections import Counter

from autograder.grading.collection import collect_hidden_tests
from autograder.results import Verdict
from tests.selftest.support.grading import ASSIGNMENT, checks_of, reference_text
from tests.selftest.support.replayed_submission import REFERENCES

WAYS = {  # how a function can be wrong; {name} is its name
    "not written": "def _wrong(*_, **__): raise NotImplementedError\n{name} = _wrong",
    "raises": "def _wrong(*_, **__): raise KeyError('mine')\n{name} = _wrong",
    "returns None": "def _wrong(*_, **__): pass\n{name} = _wrong",
    "takes no arguments": "def _wrong(): return 0\n{name} = _wrong",
    "ends the process": "import os\ndef _wrong(*_, **__): os._exit(0)\n{name} = _wrong",
    "is missing": "del {name}",
}


def list_functions() -> list[tuple[str, str]]:
    """Return the question and the name of each function with tests of its own that later functions may rely on."""
    tests = collect_hidden_tests(ASSIGNMENT, question_ids=ASSIGNMENT.question_ids)
    tested = {(each.test.question_id, name) for each in tests for name in each.test.functions}
    return [
        (question.question_id, function.name)
        for question in ASSIGNMENT.questions
        if not question.answers
        for function in question.functions[:-1]
        if (question.question_id, function.name) in tested
    ]


def measure_elsewhere(question_id: str, function: str, way: str) -> dict[str, float]:
    """Grade a right solution with one function that is wrong in one of the `WAYS`; the points that others lose."""
    is_class = isinstance(getattr(REFERENCES[question_id], function, None), type)
    name = f"{function}.__init__" if is_class and way != "is missing" else function
    lost: Counter[str] = Counter()
    for check in checks_of(question_id, f"{reference_text(question_id)}\n\n{WAYS[way].format(name=name)}\n").values():
        if check.verdict is not Verdict.PASSED:
            lost.update(dict.fromkeys(check.functions, check.points - (check.score or 0.0)))
    return {
        each: points
        for each, points in lost.items()
        if each != function and not (is_class and each.startswith(f"{function}."))
    }
