"""Written file: edits the answers of a TOML file of written answers, and reads a report on it."""

from autograder.results import Report, Verdict


def replace_answers(text: str, **answers: str) -> str:
    """Return the file with other answers; `noise__factor` stands for the key factor of the table noise."""
    for name, value in answers.items():
        table, _, key = name.partition("__")
        start = text.index(f"\n{key} = ", text.index(f"[{table}]\n")) + 1
        text = text[:start] + f"{key} = {value}" + text[text.index("\n", start) :]
    return text


def lost(found: Report) -> set[str]:
    """Return the functions that did not pass."""
    return {name for each in found.checks if each.verdict is not Verdict.PASSED for name in each.functions}


def note_lines(found: Report) -> str:
    """Return the notes on the file."""
    return "\n".join(found.questions[0].notes)
