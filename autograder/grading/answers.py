"""Answers: turns a question's file of answers into the Python module that a worker loads in its place.

The file itself is never parsed here: its text, and what is asked for, go to a worker as they are, and the functions of
the module, one an answer, read it there (`sandbox/answer_file.py`, which every worker has loaded).
"""

from __future__ import annotations

from autograder.assignment import Question
from autograder.submission import QuestionFiles

PROBLEMS = "problems of the file"  # the name, which no answer can have, of the function that lists them


def module_sources(question: Question, files: QuestionFiles) -> dict[str, tuple[str, str, bool]]:
    """By module name what the worker loads as the student's: path shown, text, whether it is a package."""
    if files.main is None:
        return {}
    asked = [(answer.name, answer.key, answer.kind.value, answer.words) for answer in question.answers]
    text = (
        "from autograder.sandbox.worker.answer_file import build_functions\n"
        f"globals().update(build_functions({files.main.text!r}, {asked!r}, problems={PROBLEMS!r}, module=__name__))\n"
    )
    return {files.main.module: (files.main.path, text, False)}
