"""Selection: turns the names after `--only` (questions, functions, checks) into the hidden tests that are reported.

The verdict on a chosen test may depend on tests that are not chosen: those of its functions, for the name of a known
mistake, and those of the functions that they rely on. These are judged too, and neither shown nor counted.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from autograder.assignment import Assignment
from autograder.grading.collection import collect_hidden_tests
from autograder.grading.hidden_test import HiddenTest, RunnableTest
from autograder.plain_text import clean_line
from autograder.results import CheckResult, Report
from autograder.submission import SubmissionError

_NEAR = 0.7  # how similar a name has to be to the one that is suggested, from 0 to 1
_SUGGESTIONS = 3
_SHOWN_CHARACTERS = 100


@dataclass(frozen=True)
class Selection:
    """The chosen questions by id, functions by question and name, and tests by id; everything where none is chosen."""

    assignment: Assignment
    whole: frozenset[str] = frozenset()
    functions: frozenset[tuple[str, str]] = frozenset()
    tests: frozenset[str] = frozenset()
    question_ids: tuple[str, ...] = ()

    def is_chosen(self, test: HiddenTest | CheckResult) -> bool:
        """Whether a test, or its result, is shown and counted."""
        if self._is_whole(test.question_id) or test.test_id in self.tests:
            return True
        return not self.functions.isdisjoint(_list_judged(test))

    def _is_whole(self, question_id: str) -> bool:
        return not self.question_ids or question_id in self.whole

    def find_needed(self, tests: Sequence[RunnableTest]) -> tuple[RunnableTest, ...]:
        """Find the chosen tests and those that their verdicts and diagnoses may depend on, in the order of `tests`."""
        needed = [each for each in tests if self.is_chosen(each.test)]
        count = -1
        while count < len(needed):
            count = len(needed)
            functions: set[tuple[str, str]] = set()
            for each in needed:
                functions.update(self._list_relevant(each.test))
            needed = [each for each in tests if not functions.isdisjoint(_list_judged(each.test))]
        return tuple(needed)

    def keep(self, report: Report) -> Report:
        """Return the report without what was not chosen; texts for a person belong to whole questions."""
        return replace(
            report,
            checks=tuple(filter(self.is_chosen, report.checks)),
            texts=tuple(text for text in report.texts if self._is_whole(text.question_id)),
        )

    def _list_relevant(self, test: HiddenTest) -> Iterator[tuple[str, str]]:
        yield from _list_judged(test)
        question = self.assignment.get_question(test.question_id)
        for prerequisite in question.list_prerequisites(test.functions):
            for function in prerequisite.functions:
                yield test.question_id, function


def read_selection(words: Sequence[str], assignment: Assignment) -> Selection:
    """Read names: the id of a question, a function such as `linear_layer.cost`, the number or the name of a test.

    Raises SubmissionError, with near matches, for a name of nothing, and HiddenTestError for tests that are not in
    order, which are looked at only where a name is no question's.
    """
    if all(word in assignment.question_ids for word in words):
        return Selection(assignment, frozenset(words), question_ids=_sort_question_ids(words, assignment))
    collected = collect_hidden_tests(assignment, question_ids=assignment.question_ids)
    tests = [each.test for each in collected]
    judged = dict(_name_functions(tests, assignment))
    whole: set[str] = set()
    functions: set[tuple[str, str]] = set()
    chosen: set[HiddenTest] = set()
    for word in words:
        if word in assignment.question_ids:
            whole.add(word)
        elif word in judged:
            functions.add(judged[word])
        else:
            of_word = [test for test in tests if word in (test.number, test.name, test.test_id)]
            if not of_word:
                raise SubmissionError(_describe_unknown(word, assignment, judged, tests))
            chosen.update(of_word)
    question_ids = {*whole}
    question_ids.update(question_id for question_id, _ in functions)
    question_ids.update(test.question_id for test in chosen)
    ids = frozenset(test.test_id for test in chosen)
    return Selection(
        assignment, frozenset(whole), frozenset(functions), ids, _sort_question_ids(question_ids, assignment)
    )


def _list_judged(test: HiddenTest | CheckResult) -> list[tuple[str, str]]:
    return [(test.question_id, function) for function in test.functions]


def _name_functions(tests: Sequence[HiddenTest], assignment: Assignment) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield the names of all functions with a test, and those with their question; an answer also has its key."""
    found: dict[tuple[str, str], None] = {}
    for test in tests:
        found.update(dict.fromkeys(_list_judged(test)))
    for question_id, function in found:
        yield f"{question_id}.{function}", (question_id, function)
    for question in assignment.questions:
        for answer in question.answers:
            if (question.question_id, answer.name) in found:
                yield f"{question.question_id}.{answer.key}", (question.question_id, answer.name)


def _sort_question_ids(wanted: Collection[str], assignment: Assignment) -> tuple[str, ...]:
    return tuple(question_id for question_id in assignment.question_ids if question_id in wanted)


def _describe_unknown(word: str, assignment: Assignment, judged: Iterable[str], tests: Sequence[HiddenTest]) -> str:
    near = _find_near(word, assignment.question_ids, list(judged), tests)
    meant = ""
    if near:
        meant = f"did you mean {' or '.join(map(repr, near))}? "
    shown = clean_line(word, _SHOWN_CHARACTERS)
    question_ids = ", ".join(assignment.question_ids)
    first = tests[0]
    check = f"the number or name of a check ({first.number}, {first.name})"
    names = f"name a question ({question_ids}), a function of one ({next(iter(judged))}), or {check}"
    return f"there is no question, function or check {shown!r}; {meant}{names}"


def _find_near(word: str, question_ids: Sequence[str], judged: Sequence[str], tests: Sequence[HiddenTest]) -> list[str]:
    """Find names like an unknown one, of the first kind that has any; a function may lack its question."""
    short = word[:_SHOWN_CHARACTERS]
    bare = {}
    for name in judged:
        _, _, function = name.partition(".")
        bare[function] = name
    for names in (question_ids, judged, list(bare), [test.name for test in tests]):
        near = difflib.get_close_matches(short, names, _SUGGESTIONS, _NEAR)
        if near:
            return [bare.get(name, name) for name in near]
    group, *_ = short.split(".")
    numbers = []
    for test in tests:
        first, *_ = test.number.split(".")
        if first == group:
            numbers.append(test.number)
    return difflib.get_close_matches(short, numbers, _SUGGESTIONS, cutoff=0.0)
