"""Home run: calls the body of a check on the text of a file, in this process, as check.py does for a student."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from autograder.public_checks.question_run import HomeAttempt
from autograder.public_checks.student_file import StudentFile
from autograder.student import Student


def run_at_home(call: Callable[[Any], object], text: str, stem: str) -> list[str]:
    """Return the notes of a body that passes on the file of a question; CheckFailed or CallFailed where it does not."""
    with TemporaryDirectory() as folder:
        path = Path(folder, f"{stem}.py")
        path.write_text(text, encoding="utf-8")
        classes = {node.name: [] for node in ast.parse(text).body if isinstance(node, ast.ClassDef)}
        question = {"files": [path.name], "placeholders": [], "parameters": {}, "classes": classes}
        file = StudentFile(question, str(path), lambda _: None)
        attempt = HomeAttempt(file)
        try:
            call(Student(attempt))
        finally:
            file.close()
    return attempt.notes
