"""Hidden test: turns a decorated function, or a row of a contract's table, into its description and a plain call."""

from __future__ import annotations

import inspect
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

from gradescope_utils.autograder_utils.decorators import leaderboard, partial_credit

from autograder import GraderError
from autograder.assignment import Assignment
from autograder.plain_text import clean_line
from autograder.results import (
    ADVICE,
    ROBUSTNESS,
    LeaderboardEntry,
    Order,
    Visibility,
    is_check_number,
    is_points,
)
from autograder.sandbox.limits import Need

if TYPE_CHECKING:
    from autograder.contracts import Check, TableRow
    from autograder.grading.attempt import Body
    from autograder.student import Student, TestCall

STUDENT = "student"  # the one argument of a hidden test
_LEADERBOARD_CHARACTERS = 100  # of a text
# Decorators that give an argument. Each leaves a wrapper around the function, whose code is the same for all functions.
_SETTERS: Mapping[str, Any] = {"set_score": partial_credit(0), "set_leaderboard_value": leaderboard("")}
_KINDS = (ROBUSTNESS, ADVICE)
_SET_BY_TEST = ("__score__", "__leaderboard_value__")  # attributes that the setters leave


class HiddenTestError(GraderError):
    """The staff's hidden tests are not in order; the text has one line a problem. Nobody is graded."""


@dataclass(frozen=True)
class HiddenTest:
    """One graded test, as its decorators and its docstring, or a row of a contract's table, describe it.

    `is_robustness`: it is about large numbers, tiny sizes and warnings.
    `is_advice`: it is shown to students at once and gives no points. `need`: what the right solution needs of it;
    None where that is not known.
    """

    test_id: str
    question_id: str
    functions: tuple[str, ...]
    title: str
    number: str
    points: float
    visibility: Visibility
    hide_errors: str | None
    is_robustness: bool = False
    is_advice: bool = False
    need: Need | None = None

    @property
    def name(self) -> str:
        """The name of its function or row, by which mistakes name it."""
        return self.test_id.partition("::")[2]

    @property
    def order(self) -> tuple[int, ...]:
        """Sorts "1.10" behind "1.9"."""
        return tuple(int(part) for part in self.number.split("."))


class RunnableTest(NamedTuple):
    """A hidden test, and its body: a plain call, or the check of a contract."""

    test: HiddenTest
    call: Body


def make_runnable(function: Any, *, question_id: str, assignment: Assignment) -> RunnableTest:
    """The test that a function of a file `test_<question_id>.py` is; `HiddenTestError` where it is not in order."""
    from autograder.contracts import CheckBody  # noqa: PLC0415  (the command line needs the error alone)

    try:
        check = take_check(function)
    except HiddenTestError as error:
        raise HiddenTestError(f"test_{question_id}.py: {function.__name__}: {error}") from None
    test = read_hidden_test(function, question_id=question_id, assignment=assignment, check=check)
    call = _make_call(function) if check is None else CheckBody(check, seed=assignment.seed)
    return RunnableTest(test, call)


def make_row(row: TableRow, *, place: str, question_id: str, assignment: Assignment) -> RunnableTest:
    """Make the test that a row of a contract's table is; HiddenTestError where it is not in order.

    `place`: the file and the line of the table.
    """
    from autograder.contracts import CheckBody  # noqa: PLC0415  (as above)

    functions = (row.check.function,)
    unknown = _find_unknown("the name", functions, question_id, assignment)
    _require_none([*_find_missing_seed(assignment), *unknown], place, row.name)
    test = HiddenTest(
        test_id=f"test_{question_id}.py::{row.name}",
        question_id=question_id,
        functions=functions,
        title=row.title,
        number=row.number,
        points=row.points,
        visibility=row.visibility,
        hide_errors=None,
    )
    return RunnableTest(test, CheckBody(row.check, seed=assignment.seed))


def _require_none(problems: Sequence[str], place: str, name: str) -> None:
    if problems:
        raise HiddenTestError("\n".join(f"{place}: {name}: {problem}" for problem in problems))


def _find_unknown(what: str, functions: Sequence[str], question_id: str, assignment: Assignment) -> Iterator[str]:
    """Yield that there is no such question, or which functions it has not; `what`: the word for one of them."""
    question = next((each for each in assignment.questions if each.question_id == question_id), None)
    if question is None:
        yield f"the assignment has no question {question_id!r}"
        return
    names = [each.name for each in question.functions]
    yield from (f"{what} {each!r} is no function of {question_id}" for each in functions if each not in names)


def take_check(function: Any) -> Check | None:
    """Return the check of a contract that a test function returns; None for one that is written by hand.

    HiddenTestError for a function that is said to return a check by its annotation, and does not.
    """
    from autograder.contracts import Check  # noqa: PLC0415  (as above)

    advice = "return a check of a contract"
    signature = inspect.signature(function)
    if signature.parameters or signature.return_annotation not in (Check, Check.__name__):
        return None
    try:
        made = function()
    except Exception as error:
        raise HiddenTestError(f"it raises {error!r}; {advice}") from error
    if not isinstance(made, Check):
        raise HiddenTestError(f"it returns a value of type {type(made).__name__}; {advice}")
    return made


def read_hidden_test(
    function: Any, *, question_id: str, assignment: Assignment, check: Check | None = None
) -> HiddenTest:
    """The description of one test function; `HiddenTestError` names everything that is missing or unknown.

    `check`: what it returns, where it is not written by hand.
    """
    file, line = f"test_{question_id}.py", inspect.unwrap(function).__code__.co_firstlineno
    tagged = tuple(getattr(function, "__tags__", ()))
    if check is not None and all(tag in _KINDS for tag in tagged):
        tagged = function.__tags__ = (*tagged, check.function)
    problems = list(_find_unsupported(function))
    problems += _find_wrong_arguments(function) if check is None else _find_missing_seed(assignment)
    problems += [*_find_wrong_decorators(function), *_find_wrong_column(function)]
    functions = tuple(tag for tag in tagged if tag not in _KINDS)
    problems += _find_unknown("the tag", functions, question_id, assignment)
    _require_none(problems, f"{file}:{line}", function.__name__)
    advice_points = assignment.get_question(question_id).advice_points if ADVICE in tagged else 0.0
    return HiddenTest(
        test_id=f"{file}::{function.__name__}",
        question_id=question_id,
        functions=functions,
        title=function.__doc__.strip().splitlines()[0],
        number=function.__number__,
        points=advice_points or float(function.__weight__),
        visibility=Visibility(function.__visibility__),
        hide_errors=getattr(function, "__hide_errors__", None),
        is_robustness=bool({ROBUSTNESS, ADVICE}.intersection(tagged)),
        is_advice=ADVICE in tagged and not advice_points,
    )


def _find_unsupported(function: Any) -> Iterator[str]:
    """Uses of Python or pytest that a plain call of the function ignores."""
    code = inspect.unwrap(function)
    if inspect.isgeneratorfunction(code) or inspect.iscoroutinefunction(code) or inspect.isasyncgenfunction(code):
        yield "a plain call does not run it; write it without `async` and `yield`"
    for mark in getattr(function, "pytestmark", ()):
        advice = (
            "write a loop in the body" if mark.name == "parametrize" else "a graded test is always run, as it stands"
        )
        yield f"the mark {mark.name!r} of pytest is not for hidden tests; {advice}"
    if "__test__" in vars(function):
        yield "`__test__` is not for hidden tests; a graded test is always run, and a helper has another name"


def _find_wrong_arguments(function: Any) -> Iterator[str]:
    parameters = inspect.signature(function).parameters
    required = [each.name for each in parameters.values() if _is_required(each)]
    if STUDENT not in required:
        yield f"the argument `{STUDENT}` is missing; without it a test asks nothing of a submission"
    for name in required:
        if name != STUDENT and name not in _SETTERS:
            yield f"the argument `{name}` is a fixture or parameter, which hidden tests have not; make it in the body"
    for setter, decorator in _SETTERS.items():
        yield from _find_wrong_setter(function, parameters, setter, decorator)


def _find_missing_seed(assignment: Assignment) -> Iterator[str]:
    if not assignment.seed:
        yield f'its cases are drawn from a private seed; write seed = "any text" at the top of {assignment.file}'


def _is_required(parameter: inspect.Parameter) -> bool:
    is_named = parameter.kind in (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return is_named and parameter.default is parameter.empty


def _find_wrong_setter(
    function: Any, parameters: Mapping[str, inspect.Parameter], setter: str, decorator: Any
) -> Iterator[str]:
    name, wrapper = f"@{type(decorator).__name__}", decorator(lambda: None)
    is_given = any(layer.__code__ is wrapper.__code__ for layer in _list_layers(function))
    takes_any = any(each.kind is inspect.Parameter.VAR_KEYWORD for each in parameters.values())
    if is_given and setter not in parameters and not takes_any:
        yield f"{name} gives `{setter}`; write `{setter}=None` among the arguments"
    if setter in parameters and not is_given:
        yield f"the argument `{setter}` is given by {name}, which is missing"


def _find_wrong_decorators(function: Any) -> Iterator[str]:
    points = getattr(function, "__weight__", None)
    if not is_points(points):
        yield f"@weight is missing or no number of points (found {points!r})"
    number = getattr(function, "__number__", None)
    if not is_check_number(number):
        yield f'@number is missing or not like "1.2" (found {number!r})'
    visibility = getattr(function, "__visibility__", None)
    known = [each.value for each in Visibility]
    if visibility is None:
        yield f"@visibility is missing, which says when students see the test; write one of {', '.join(known)}"
    elif visibility not in known:
        yield f"@visibility is none of {', '.join(known)} (found {visibility!r})"
    hide_errors = getattr(function, "__hide_errors__", None)
    if not isinstance(hide_errors, (str, type(None))):
        yield f"@hide_errors is no text (found {hide_errors!r})"
    tagged = getattr(function, "__tags__", ())
    if all(tag in _KINDS for tag in tagged):
        yield "@tags is missing; name the function under test"
    if ADVICE in tagged and points != 0:
        yield f"advice gives no points (found @weight({points!r})); write @weight(0)"
    if ADVICE in tagged and visibility != Visibility.VISIBLE.value:
        yield 'advice is shown to students at once; write @visibility("visible")'
    if not (function.__doc__ or "").strip():
        yield "the docstring is missing; its first line is the title that students read"


def _find_wrong_column(function: Any) -> Iterator[str]:
    if getattr(function, "__leaderboard_sort_order__", "desc") not in get_args(Order):
        yield 'the order of @leaderboard is "desc" or "asc"'
    is_visible = getattr(function, "__visibility__", None) == Visibility.VISIBLE.value
    if hasattr(function, "__leaderboard_column__") and not is_visible:
        yield "@leaderboard is for visible tests only: everybody sees a leaderboard at once"


def _make_call(function: Any) -> TestCall:
    layers = _list_layers(function)

    def call(student: Student) -> float | None:
        for attribute in _SET_BY_TEST:
            _take(layers, attribute)
        try:
            function(student=student)
        except (Exception, KeyboardInterrupt):
            raise
        except BaseException as error:  # SystemExit, a skip of pytest's: none of them is an Exception
            raise RuntimeError(f"a hidden test ended itself: {error!r}") from error
        score, value = (_take(layers, attribute) for attribute in _SET_BY_TEST)
        if value is not None:
            student.keep_leaderboard_entry(_make_entry(function, value))
        return None if score is None else float(score)

    return call


def _make_entry(function: Any, value: Any) -> LeaderboardEntry:
    """Return a column of the leaderboard; ValueError for a number that JSON cannot carry."""
    value = clean_line(value, _LEADERBOARD_CHARACTERS) if isinstance(value, str) else float(value)
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"set_leaderboard_value({value})")
    name, order = function.__leaderboard_column__, function.__leaderboard_sort_order__
    return LeaderboardEntry(name=str(name), value=value, order=order)


def _list_layers(function: Any) -> list[Any]:
    """The function and those that decorators wrapped, the innermost last."""
    layers = [function]
    while hasattr(layers[-1], "__wrapped__"):
        layers.append(layers[-1].__wrapped__)
    return layers


def _take(layers: Sequence[Any], attribute: str) -> Any:
    """An attribute that a decorator set on its wrapper, removed from there; None where there is none."""
    values = [vars(each).pop(attribute, None) for each in layers]
    return next((value for value in values if value is not None), None)
