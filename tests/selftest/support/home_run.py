"""Home run: runs a check on the text of a file, in this process, as check.py does for a student."""

import ast
from pathlib import Path
from tempfile import TemporaryDirectory

from autograder.contracts import CheckBody
from autograder.contracts.body import judge_check
from autograder.public_checks.question_run import HomeModule
from autograder.public_checks.student_file import StudentFile


def run_at_home(body: CheckBody, text: str, question_id: str) -> list[str]:
    """Return the notes of a check that passes on a file of a question; CheckFailed or CallFailed where it does not."""
    with TemporaryDirectory() as folder:
        path = Path(folder, f"{question_id}.py")
        path.write_text(text, encoding="utf-8")
        classes = {node.name: [] for node in ast.parse(text).body if isinstance(node, ast.ClassDef)}
        question = {"files": [path.name], "placeholders": [], "parameters": {}, "classes": classes}
        file = StudentFile(question, str(path), lambda _: None)
        try:
            judgement = judge_check(body.derived, HomeModule(file).run(body.derived.programs))
        finally:
            file.close()
    if judgement.failure is not None:
        raise judgement.failure
    return list(judgement.notes)
