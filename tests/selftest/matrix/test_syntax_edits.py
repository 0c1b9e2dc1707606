"""Edits of a reference have the kind that a person would call them."""

import ast

from autograder.matrix.mutant import list_edits

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
    told = {edit.change: edit.proposal.tell() for edit in list_edits(function)}
    assert {change: told.get(change) for change in STORIES} == STORIES


def test_no_list_is_put_into_itself() -> None:
    function = ast.parse("def collect(x):\n    y = []\n    y.append(x)\n    return y\n").body[0]
    assert isinstance(function, ast.FunctionDef)
    changes = {edit.change for edit in list_edits(function)}
    assert "return y -> return x" in changes
    assert "y.append(x) -> y.append(y)" not in changes
