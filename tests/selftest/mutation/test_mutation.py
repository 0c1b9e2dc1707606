"""Edits of a reference have the kind that a person would call them."""

from __future__ import annotations

import ast

from autograder.mutation.syntax_edits import list_edits

ENDLESS = "n -= 1 -> (removed)"
TEXT = """
def mix(x, y, n=2):
    total = x - y * n
    for i in range(1, n):
        if i < n:
            total += x[i]
    return np.sum(total, axis=1), y @ x
"""
KINDS = {
    "total = x - y * n -> total = x + y * n": "sign_of_term",
    "total = x - y * n -> total = y * n": "operand_missing",
    "total = x - y * n -> total = y * n - x": "operands_exchanged",
    "total = x - y * n -> total = x - y / n": "operation",
    "total = x - y * n -> total = x - n * n": "variable",
    "total = x - y * n -> (removed)": "step_missing",
    "if i < n: -> if i <= n:": "border",
    "if i < n: -> if i >= n:": "condition",
    "total += x[i] -> total = x[i]": "assigned",
    "total += x[i] -> total += x[i + 1]": "bound",
    "total += x[i] -> total += x[0]": "bound",
    "total += x[i] -> (removed)": "step_missing",
    "return (np.sum(total, axis=1), y @ x) -> return (np.sum(total, axis=2), y @ x)": "constant",
    "return (np.sum(total, axis=1), y @ x) -> return (np.sum(total, axis=1), x @ y)": "operands_exchanged",
    "return (np.sum(total, axis=1), y @ x) -> return (total, y @ x)": "step_missing",
    "return (np.sum(total, axis=1), y @ x) -> return (-np.sum(total, axis=1), y @ x)": "sign_of_term",
    "for i in range(1, n): -> for i in list(range(1, n))[1:]:": "loop",
    "return (np.sum(total, axis=1), y @ x) -> return (np.mean(total, axis=1), y @ x)": "related_function",
    "return (np.sum(total, axis=1), y @ x) -> return (np.sum(total), y @ x)": "option_missing",
    "return (np.sum(total, axis=1), y @ x) -> return (np.sum(total, axis=1), y @ x.T)": "transposed_factor",
    "return (np.sum(total, axis=1), y @ x) -> return (y @ x, np.sum(total, axis=1))": "outputs_exchanged",
    "return (np.sum(total, axis=1), y @ x) -> return (np.sum(total, axis=1), np.abs(y @ x))": "rounded",
    "def mix(x, y, n=2): -> def mix(x, y, n=3):": "constant",
}


def test_each_edit_has_its_kind() -> None:
    function = ast.parse(TEXT).body[0]
    assert isinstance(function, ast.FunctionDef)
    kinds = {edit.change: edit.proposal.kind.value for edit in list_edits(function, has_numpy=True)}
    assert {change: kinds.get(change) for change in KINDS} == KINDS


STORIES = {
    "return self.w.T @ -x -> return self.w @ -x": "Does not transpose self.w.",
    "return self.w.T @ -x -> return self.w.T @ x": "Leaves out the minus sign of x.",
    "return self.w.T @ -x -> return self.w.T * -x": "Multiplies by -x entry by entry.",
    "total -= np.sum(x, axis=1) -> total += np.sum(x, axis=1)": "Adds np.sum(x, axis=1) instead of subtracting it.",
    "total -= np.sum(x, axis=1) -> total -= np.sum(x, axis=2)": "Takes the axis 2 instead of 1.",
    "total -= np.sum(x, axis=1) -> total -= np.sum(x)": "Leaves out axis=1 in np.sum(x, axis=1).",
    "total -= np.sum(x, axis=1) -> (removed)": "Leaves out the step total -= np.sum(x, axis=1).",
    "total = 0 if len(x) > 1 else 1 -> total = 0": "Acts as if it were always true that len(x) > 1.",
    "total = 0 if len(x) > 1 else 1 -> total = 0 if len(x) >= 1 else 1": "Tests len(x) >= 1 instead of len(x) > 1.",
    "total = 0 if len(x) > 1 else 1 -> total = 1 if len(x) > 1 else 1": "",
}


def test_the_story_of_an_edit_is_told_where_people_make_it() -> None:
    lines = ("total = 0 if len(x) > 1 else 1", "total -= np.sum(x, axis=1)", "return self.w.T @ -x")
    function = ast.parse("\n    ".join(["def loss(self, x):", *lines])).body[0]
    assert isinstance(function, ast.FunctionDef)
    told = {edit.change: edit.proposal.tell() for edit in list_edits(function, has_numpy=True)}
    assert {change: told.get(change) for change in STORIES} == STORIES


def test_no_list_is_put_into_itself() -> None:
    function = ast.parse("def collect(x):\n    y = []\n    y.append(x)\n    return y\n").body[0]
    assert isinstance(function, ast.FunctionDef)
    changes = {edit.change for edit in list_edits(function, has_numpy=True)}
    assert "return y -> return x" in changes
    assert "y.append(x) -> y.append(y)" not in changes
