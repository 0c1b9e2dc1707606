"""Command line: turns arguments and the environment into one call each; the only package that prints or exits.

Exit status: 0 graded, whatever the score; 1 problems found by doctor, lint, matrix or regress; 2 wrong usage or a
submission that cannot be read; 3 a fault of the grader, of the staff's files or, in a strict run, of the machine; 128
plus the signal's number if the run was stopped, so 130 for Ctrl-C. The grader is imported where it is used, so that
`--help` does not wait for numpy and pytest. `grade` has the command that grades, `package` those for Gradescope, Docker
and the handout, `questions` those for the work on questions, `regress` the one for a class.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import traceback
from pathlib import Path
from typing import Any

import click

from autograder import ENGINE, __version__, machine
from autograder.cli import options, package, questions
from autograder.cli.grade import grade, grade_on_gradescope, require_enough_for_student_code
from autograder.cli.process import (
    FINE,
    NOTHING_GRADED,
    OUR_FAULT,
    PROBLEM_FOUND,
    fail,
    find_kept_folder,
    ignore_write_errors,
    open_streams,
    report_errors,
    show_line,
    show_text,
    treat_signals_as_interrupts,
)
from autograder.cli.regress import regress
from autograder.plain_text import count

_RUN_STUDENT_CODE = ("explain", "matrix", "regress")  # besides `grade`, which writes a placeholder first


class _Commands(click.Group):
    """The commands; makes every failure end with the documented exit status."""

    def resolve_command(self, context: click.Context, words: list[str]) -> Any:
        """Find the command; a path in its place is told the command that is probably meant."""
        if self.get_command(context, words[0]) is None and os.path.exists(words[0]):
            context.fail(f"{words[0]} is a path and no command; write: run_autograder grade {words[0]}")
        return super().resolve_command(context, words)

    def invoke(self, context: click.Context) -> Any:
        """Run the command; an error that is none of the known kinds is a fault of ours, and is shown whole."""
        try:
            with report_errors():
                return super().invoke(context)
        except click.ClickException as error:
            with ignore_write_errors():
                options.explain_gone(error).show()
            sys.exit(error.exit_code)
        except (click.exceptions.Exit, click.Abort):
            raise
        except KeyboardInterrupt as stopped:
            fail("stopped before the end", 128 + (stopped.args[0] if stopped.args else signal.SIGINT))
        except Exception:  # noqa: BLE001  (any other error is our fault, and the exit status must say so)
            fail(f"the grader failed; this is not the submission's fault\n{traceback.format_exc()}", OUR_FAULT)


@click.group(cls=_Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="%(prog)s %(version)s")
@click.pass_context
def main(context: click.Context) -> None:
    """Grade submissions of the assignment.

    Without a command, as on Gradescope: grade /autograder/submission and write /autograder/results/results.json, by the
    assignment that is next to the grader.
    AUTOGRADER_ROOT names another folder than /autograder.
    """
    os.environ.update(machine.ONE_THREAD)  # before numpy is imported
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # plugins would read the metadata of all packages
    open_streams()
    if context.invoked_subcommand in _RUN_STUDENT_CODE:
        require_enough_for_student_code(OUR_FAULT)
    if context.invoked_subcommand is None:
        grade_on_gradescope(Path(os.environ.get("AUTOGRADER_ROOT", "/autograder")))


for _command in (grade, package.package, questions.matrix, questions.new, regress):
    main.add_command(_command)


@main.command()
def doctor() -> None:
    """Show which layers of isolation this machine supports, and the software that would grade.

    The exit status is 1 if `grade --strict` would refuse.
    """
    require_enough_for_student_code(PROBLEM_FOUND)
    from autograder.doctor import examine, render

    diagnosis = examine()
    show_line(render(diagnosis))
    sys.exit(PROBLEM_FOUND if diagnosis.missing else FINE)


@main.command()
@click.argument("path", type=options.PATH)
@click.argument("check")
@options.add_assignment_option
def explain(path: Path, check: str, root: Path) -> None:
    """Explain to staff how the submission PATH ended in one check, by its number (1.8) or name.

    Shows the inputs, the right values and the student's, the known mistake and what it rests on, and lines to run. For
    staff only: hidden inputs and right values are in it. Writes no results.json. The exit status is 0 whatever the
    verdict, 2 if the submission cannot be read or CHECK is not one check, and 3 if the grader failed.
    """
    options.refuse_assignment_of(path, root)
    with report_errors(NOTHING_GRADED), treat_signals_as_interrupts():
        from autograder import explanation
        from autograder.results import Verdict

        made = explanation.explain(root, path, check, kept=find_kept_folder())
    show_text(explanation.write_explanation(made))
    sys.exit(OUR_FAULT if made.check.verdict is Verdict.UNDECIDED else FINE)


@main.command()
@click.argument("path", type=options.EXISTING, required=False)
def lint(path: Path | None) -> None:
    """Say what is not in order in PATH, the folder of an assignment; by default that around the current folder.

    It names files that are missing, checks and mistakes that do not fit, a right solution that fails a check, and a
    template that gets points; a question without known mistakes is a warning. The exit status is 1 if there is a
    problem, else 0.
    """
    chosen = path or Path(os.environ.get(options.SETTING) or options.find_root(Path.cwd()))
    if not chosen.is_dir():
        raise click.UsageError(f"{chosen} is no folder: `lint` looks at an assignment, no longer at a results.json")
    from autograder.questions.assignment_lint import find_problems, find_warnings

    problems = find_problems(chosen)
    warnings = [] if problems else find_warnings(chosen)
    for line in (*problems, *(f"warning: {each}" for each in warnings)):
        show_line(line)
    show_line(f"{chosen}: {count(len(problems), 'problem') if problems else 'no problems'}")
    sys.exit(PROBLEM_FOUND if problems else FINE)


@main.command(context_settings={"ignore_unknown_options": True})
@click.argument("arguments", metavar="[PYTEST ARGUMENTS]...", nargs=-1, type=click.UNPROCESSED)
def selftest(arguments: tuple[str, ...]) -> None:
    """Test the grader itself.

    Without arguments: every promise once. With --fast: what takes no sandbox by the hundred, in seconds. With --ci:
    larger samples of mistakes, attacks and uploads. The arguments go to pytest, which runs in the project's folder, on
    all cores; `-n 0` has it use one process.
    """
    if not (ENGINE / "pyproject.toml").exists():
        raise click.UsageError("an installed grader has no self-tests: run them in a clone of the project")
    command = [sys.executable, "-m", "pytest", "-n", "auto", *arguments]
    sys.exit(subprocess.run(command, cwd=ENGINE, check=False).returncode)
