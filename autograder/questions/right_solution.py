"""Right solution: turns its text into the file that students receive, and grades it like a submission.

A check that it fails is wrong: a wrong tolerance or a changed reference would cost each student points, and be noticed
by them first. The same files need not be graded again: a folder of the user's keeps which graders passed.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import multiprocessing
import os
import sys
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from autograder import GraderError
from autograder.assignment import HIDDEN, Assignment
from autograder.atomic_file import remember
from autograder.grading.identity import compute_key
from autograder.mistakes import MistakeBank
from autograder.plain_text import join_words
from autograder.results import CheckResult, Report, Verdict
from autograder.sandbox.isolation.kernel import end_with_parent
from autograder.submission import Submission, select_questions

EXAMPLE = "An example, to be replaced by what the question asks for."
_NUMPY = "import numpy as np"
_FOR_STUDENTS = f"{_NUMPY}  # noqa: F401  (for your code)"
_ALLOWED = sys.stdlib_module_names | {"numpy"}  # what a solution may import
_NOT_WRITTEN = 'raise NotImplementedError("{} is not written yet")'
_MARKS = 256  # of states of graders and assignments whose right solution passed; others are graded again
_SHOWN = 3
_LINES_SHOWN = 4


class SolutionError(Exception):
    """The file is no right solution of a question in numpy; the text says why."""


class Solution:
    """A right solution; SolutionError where its text is no Python, or imports more than numpy."""

    def __init__(self, text: str, name: str) -> None:
        self.text, self._lines = text, text.splitlines()
        try:
            self._tree = ast.parse(text)
        except (SyntaxError, ValueError) as error:
            raise SolutionError(f"{name} is no Python: {error}") from error
        for node in (each for each in ast.walk(self._tree) if isinstance(each, (ast.Import, ast.ImportFrom))):
            for imported in _list_imported(node):
                if imported.partition(".")[0] not in _ALLOWED and not self._is_for_types(node):
                    raise SolutionError(
                        f"{name}:{node.lineno}: imports {imported}; a right solution imports only numpy"
                    )

    def write_template(self, stem: str, graded: Collection[str]) -> str:
        """Write the students' file: signatures and docstrings as they are, and nothing else of what is graded."""
        kept = [node for node in self._tree.body if getattr(node, "name", "") in graded]
        names = {each.id for node in kept for each in _list_used(node)}
        for node in reversed(self._tree.body):
            if isinstance(node, (ast.Assign, ast.AnnAssign)) and self._is_kept(node, graded, names):
                names |= {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
        blocks = [self._write_node(node, stem, names) for node in self._tree.body if self._is_kept(node, graded, names)]
        imports = [block for block in blocks if block.startswith(("import ", "from "))]
        others = [block for block in blocks if block not in imports]
        head = [others.pop(0)] if ast.get_docstring(self._tree) is not None else []
        return "\n\n\n".join(["\n\n".join([*head, *(["\n".join(imports)] * bool(imports))]), *others]) + "\n"

    def _is_kept(self, node: ast.stmt, graded: Collection[str], names: Collection[str]) -> bool:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            return node.name in graded
        if isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            return any(isinstance(each, ast.Name) and each.id in names for each in targets)
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            bound = {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
            return bool(bound & {"np", *names}) or getattr(node, "module", "") == "__future__"
        return node is self._tree.body[0] and ast.get_docstring(self._tree) is not None

    def _write_node(self, node: ast.stmt, stem: str, names: Collection[str]) -> str:
        if isinstance(node, ast.FunctionDef):
            return self._write_stub(node, f"{stem}.{node.name}")
        if isinstance(node, ast.ClassDef):
            return self._write_class(node, stem)
        text = self._cut(node.lineno, node.end_lineno or node.lineno)
        return _FOR_STUDENTS if text == _NUMPY and "np" not in names else text

    def _write_class(self, node: ast.ClassDef, stem: str) -> str:
        methods = [each for each in node.body if isinstance(each, ast.FunctionDef)]
        head = self._cut(_find_first_line(node), _find_first_line(methods[0]) - 1).rstrip() if methods else ""
        stubs = (self._write_stub(each, f"{stem}.{node.name}.{each.name}") for each in methods)
        return "\n\n".join([head, *stubs]) if methods else self._cut(_find_first_line(node), node.end_lineno or 0)

    def _write_stub(self, node: ast.FunctionDef, name: str) -> str:
        """Write a function up to the end of its docstring, and a body that is not written."""
        has_docstring = ast.get_docstring(node) is not None
        first = node.body[0]
        last = (first.end_lineno or first.lineno) if has_docstring else first.lineno - 1
        header = self._cut(_find_first_line(node), max(last, node.lineno))
        if first.lineno == node.lineno:  # `def f(x): return x`
            header = header[: first.col_offset].rstrip()
        indent = " " * (node.col_offset + 4)
        body = ("### YOUR CODE HERE", _NOT_WRITTEN.format(name), "### END YOUR CODE")
        return "\n".join([header, *(indent + line for line in body)])

    def _cut(self, first: int, last: int) -> str:
        return "\n".join(self._lines[first - 1 : last])

    def _is_for_types(self, node: ast.AST) -> bool:
        """Tell whether a statement is run by type checkers alone."""
        guarded = (each for each in self._tree.body if isinstance(each, ast.If))
        return any("TYPE_CHECKING" in ast.unparse(each.test) and node in ast.walk(each) for each in guarded)


def _list_imported(node: ast.Import | ast.ImportFrom) -> Sequence[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module or "."]


def _list_used(node: ast.AST) -> Iterator[ast.Name]:
    """Yield the names in the signature of a function, or in a class outside of the bodies of its methods."""
    if isinstance(node, ast.FunctionDef):
        parts: list[ast.AST] = [node.args, *node.decorator_list, *([node.returns] if node.returns else [])]
    elif isinstance(node, ast.ClassDef):
        parts = [*node.bases, *node.decorator_list]
        for each in node.body:
            if isinstance(each, ast.FunctionDef):
                yield from _list_used(each)
            else:
                parts.append(each)
    else:
        parts = []
    for part in parts:
        yield from (each for each in ast.walk(part) if isinstance(each, ast.Name))


def _find_first_line(node: ast.FunctionDef | ast.ClassDef) -> int:
    return min([node.lineno, *(each.lineno for each in node.decorator_list)])


class RightSolutionError(GraderError):
    """The right solution fails checks, which are therefore wrong; the text names them."""


def require_right_solution(
    assignment: Assignment, *, only: Sequence[str] = (), memory: Path | None = None, at_once: int = 1
) -> None:
    """Grade the right solution of the questions `only`, or of all; RightSolutionError if it does not pass every check.

    `memory`: the folder that remembers which graders passed; each is graded if it is None. `at_once`: how many tests
    may run at a time. Raises AssignmentError and HiddenTestError for staff files that are not in order, SubmissionError
    for the id of no question, SandboxError where no worker starts.
    """
    assignment.require_question_files()
    state = f"{assignment.root.absolute()} {compute_key(assignment, only)}"
    mark = None if memory is None else memory / f"right-solution-{hashlib.sha256(state.encode()).hexdigest()}"
    with contextlib.suppress(OSError):
        if mark is not None:
            os.utime(mark)  # it is in use
            return
    failures = _find_failures(assignment, tuple(only), at_once)
    if failures:
        raise RightSolutionError(failures)
    if mark is not None:
        remember(mark, b"", keep=_MARKS)


def _find_failures(assignment: Assignment, only: Sequence[str], at_once: int) -> str:
    """Grade it in a fork, so that the memory of its grader is free when others start."""
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(1, context, initializer=end_with_parent, initargs=(os.getpid(),)) as pool:
        try:
            return pool.submit(_grade_and_describe, assignment, only, at_once).result()
        except BrokenProcessPool as error:
            raise RightSolutionError("the process that graded the right solution ended") from error


def _grade_and_describe(assignment: Assignment, only: Sequence[str], at_once: int) -> str:
    return describe_failures(grade_right_solution(assignment, only, at_once).checks)


def grade_right_solution(assignment: Assignment, only: Sequence[str] = (), at_once: int = 1) -> Report:
    """Grade the right solution of the questions `only`, or of all."""
    from autograder.grader import Grader  # noqa: PLC0415  (slow to load, and a solution that passed is known)

    bank = MistakeBank(assignment)
    texts = {each.stem: bank.read_right_source(each.stem) for each in select_questions(assignment, only or None)}
    with Grader(assignment, only=only or None, at_once=at_once) as grader:
        return grader.grade(Submission.build(assignment, texts))


def describe_failures(checks: Sequence[CheckResult]) -> str:
    """Describe the checks that the right solution fails: all numbers, and how the first ones end; "" for none."""
    failed = [check for check in checks if check.verdict is not Verdict.PASSED]
    if not failed:
        return ""
    lines = [f"the right solution fails {join_words([check.number for check in failed])}"]
    for check in failed[:_SHOWN]:
        lines.append(f"  {HIDDEN}/{check.test_id}: {check.title}")
        lines += [f"    {line}" for line in (check.fault or check.output).splitlines()[:_LINES_SHOWN]]
    lines.append("  correct the check or the reference; nobody else could pass it either")
    return "\n".join(lines)
