"""Home run: calls the body of a check on the text of a file, in this process, as check.py does for a student."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from autograder.public_checks.home_student import HomeStudent
from autograder.public_checks.student_file import StudentFile


def run_at_home(call: Callable[[Any], object], text: str, stem: str) -> list[str]:
    """Return the notes of a body that passes on the file of a question; CheckFailed or CallFailed where it does not."""
    with TemporaryDirectory() as folder:
        path = Path(folder, f"{stem}.py")
        path.write_text(text, encoding="utf-8")
        file = StudentFile({"files": [path.name], "placeholders": []}, str(path), lambda _: None, io.StringIO())
        student = HomeStudent(file)
        try:
            call(student)
        finally:
            file.close()
    return student.notes
