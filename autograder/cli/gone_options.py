"""Gone options: turns an option that a command once had into one sentence, which says what to write now."""

from __future__ import annotations

from collections.abc import Mapping

import click

_GONE: Mapping[str, Mapping[str, str]] = {  # by command and option
    "matrix": {
        "--kinds": "--kinds named inputs that no mutant needs, and is gone: leave it out; `matrix --generate` judges "
        "the checks",
    },
    "grade": {
        "--format": "--format named the platform of the results, and is gone: leave it out; they are Gradescope's",
    },
    "lint": {
        "--points": "--points was of the lint of a results.json, and is gone: name the folder of an assignment",
    },
    "regress": {
        "--published": "--published compared with the scores in the export, and is gone: name the export, as in "
        "--baseline PATH",
        "--accept": "--accept made a run the baseline, and is gone: name its folder in the next run, "
        "as in --baseline DIR",
        "--similarity": "--similarity compared submissions with each other, and is gone: use Gradescope's Review "
        "Similarity, compare50, MOSS or Dolos",
        "--repeat": "--repeat graded each submission again, and is gone: run twice, the second time with --baseline",
        "--docker": "--docker graded a class in containers, and is gone: leave it out, or use `grade --docker` for "
        "one submission",
        "--image": "--image named the image of --docker, and is gone: leave it out, or use `grade --docker` for one "
        "submission",
        "--time-limit": "--time-limit was that of --docker, and is gone: leave it out, or use `grade --docker` for one "
        "submission",
        "--due": "--due applied late penalties, and is gone: runs are compared before penalties; Gradescope applies "
        "the section [late]",
        "--junit": "--junit wrote XML, and is gone: read DIR/summary.json, or the exit status",
        "--no-reuse": "--no-reuse graded every question again, and is gone: use a new folder for --out",
        "--recheck": "--recheck graded reused questions again, and is gone: no question is reused; leave it out",
    },
}


def explain_gone(error: click.ClickException) -> click.ClickException:
    """Return the error of an option that is gone with a sentence about it; any other error as it is."""
    if isinstance(error, click.NoSuchOption) and error.ctx is not None:
        sentence = _GONE.get(error.ctx.command.name or "", {}).get(error.option_name)
        if sentence is not None:
            return click.UsageError(sentence, error.ctx)
    return error
