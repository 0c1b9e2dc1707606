"""docs/writing_checks.md: its examples run in the sandbox."""

import ast
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from types import FunctionType, ModuleType

import pytest
from gradescope_utils.autograder_utils.decorators import number, tags, visibility, weight

import reference
from autograder import authoring
from autograder.assignment import Assignment, Function, Question
from autograder.grading.hidden_test import RunnableTest, make_runnable
from autograder.grading.material import Material
from autograder.results import CheckResult, Verdict
from autograder.sandbox.host.client import Zygote
from autograder.submission import QuestionFiles, SourceFile
from tests.selftest.support.grading import ASSIGNMENT, PROJECT, grader, reference_text
from tests.selftest.support.made_judge import make_judge
from tests.selftest.support.written_module import import_text

pytestmark = [pytest.mark.slow, pytest.mark.once]

QUESTION_ID, ANSWERS = "regression", "written_answers"
PAGE = (PROJECT / "docs" / "writing_checks.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
PYTHON = [text for language, text in BLOCKS if language == "python"]
NAMES = [name for name in vars(authoring) if not name.startswith("_") and name != "annotations"]
IMPORTS = f"""
from collections.abc import Sequence
from gradescope_utils.autograder_utils.decorators import leaderboard, partial_credit
from autograder.authoring import {", ".join(NAMES)}
"""


def block(title: str) -> str:
    """The block that begins with this comment."""
    (found,) = [text for text in PYTHON if text.startswith(f"# {title}\n")]
    return found


SOLUTION, FILE, WRONG = (
    block(title) for title in ("reference/regression.py", "tests/hidden/test_regression.py", "a submission")
)
EXAMPLES = "\n".join([FILE, IMPORTS, *(text for text in PYTHON if text not in (SOLUTION, FILE, WRONG))])
NAMES = [node.name for node in ast.walk(ast.parse(EXAMPLES)) if isinstance(node, ast.FunctionDef)]
TESTS = [name for name in NAMES if name.startswith("test_")]
Judge = Callable[..., CheckResult]


def list_functions(text: str) -> Iterator[str]:
    """The functions, classes and methods that a module defines."""
    for node in ast.parse(text).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
            methods = [each for each in node.body if isinstance(each, ast.FunctionDef)]
            yield from (f"{node.name}.{each.name}" for each in methods if not each.name.startswith("_"))


FUNCTIONS = tuple(Function(name) for name in list_functions(SOLUTION))
QUESTION = Question(QUESTION_ID, "Regression", 100.0, (f"{QUESTION_ID}.py",), FUNCTIONS)
WHOLE = Assignment(PROJECT, "Example", (QUESTION, *ASSIGNMENT.questions))


@pytest.fixture(scope="module")
def solution(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """The right solution of the example, as a module of the reference."""
    with pytest.MonkeyPatch.context() as patched:
        path = tmp_path_factory.mktemp("reference") / f"{QUESTION_ID}.py"
        module = import_text(f"reference.{QUESTION_ID}", path, SOLUTION)
        patched.setitem(sys.modules, f"reference.{QUESTION_ID}", module)
        patched.setattr(reference, QUESTION_ID, module, raising=False)
        yield module


@pytest.fixture(scope="module")
def examples(solution: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """All examples of the page, in one file of hidden tests."""
    return import_text("test_regression", tmp_path_factory.mktemp("hidden") / "test_regression.py", EXAMPLES)


@pytest.fixture(scope="module")
def judge(solution: ModuleType, examples: ModuleType) -> Iterator[Judge]:
    """Judge an example on a submission of the example's question."""
    with Zygote() as zygote:

        def judge_example(name: str, text: str = SOLUTION) -> CheckResult:
            source = SourceFile(f"{QUESTION_ID}.py", text, QUESTION_ID)
            files, own = QuestionFiles(QUESTION_ID, source), {QUESTION_ID: (source.path, text, False)}
            answers = QuestionFiles(ANSWERS, SourceFile("answers.toml", reference_text(ANSWERS), ANSWERS))
            materials = {
                QUESTION_ID: Material(QUESTION, files, own, {}, (), solution),
                ANSWERS: grader()._build_material(answers),
            }
            judge = make_judge(materials, zygote=zygote)
            return judge.judge(*decorate(getattr(examples, name)))

        yield judge_example


def decorate(function: FunctionType) -> RunnableTest:
    """The test, with the decorators that the page leaves out: the title begins with the name of what is tested."""
    tested = str(function.__doc__).partition(":")[0]
    question_id = QUESTION_ID if tested in {each.name for each in FUNCTIONS} else ANSWERS
    missing = {
        "__weight__": weight(1),
        "__number__": number("1.1"),
        "__visibility__": visibility("visible"),
        "__tags__": tags(tested.replace(".", "_" if question_id == ANSWERS else ".")),
    }
    for attribute, decorator in missing.items():
        if not hasattr(function, attribute):
            decorator(function)
    return make_runnable(function, question_id=question_id, assignment=WHOLE)


class TestExamples:
    @pytest.mark.parametrize("name", TESTS)
    def test_each_passes_on_the_right_solution(self, judge: Judge, name: str) -> None:
        result = judge(name)
        assert (result.verdict, result.replaced, result.output) == (Verdict.PASSED, (), "Passed."), result.fault

    @pytest.mark.parametrize("name", TESTS)
    def test_each_fails_where_nothing_is_returned(self, judge: Judge, examples: ModuleType, name: str) -> None:
        if "student.written_answers" not in inspect.getsource(getattr(examples, name)):
            text = re.sub(r"^( +)(return .*|self\.index = .*)$", r"\1return None", SOLUTION, flags=re.MULTILINE)
            assert judge(name, text).verdict in (Verdict.FAILED, Verdict.NOT_WRITTEN)

    def test_the_wrong_answer_has_the_message_that_is_shown(self, judge: Judge) -> None:
        (shown,) = [text for language, text in BLOCKS if not language and text.startswith("FAIL")]
        output = judge("test_logistic_matrix", f"{SOLUTION}\n{WRONG}").output
        assert shown == output.partition("\nTo see it yourself")[0] + "\n"

    def test_the_example_of_a_gradient_names_a_size(self, judge: Judge) -> None:
        output = judge(
            "test_squared_error_gradient", SOLUTION.replace(", x.T @ residual", ", 5 * x.T @ residual")
        ).output
        assert "5 is the number of examples" in output
