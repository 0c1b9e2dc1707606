"""Gone options: turns an option that a command once had into one sentence, which says what to write now."""

from __future__ import annotations

from collections.abc import Mapping

import click

_GONE: Mapping[str, Mapping[str, str]] = {  # by command and option
    "matrix": {
        "--kinds": "--kinds named inputs that no mutant needs, and is gone: leave it out; `matrix --generate` judges "
        "the checks",
    },
}


def explain_gone(error: click.ClickException) -> click.ClickException:
    """Return the error of an option that is gone with a sentence about it; any other error as it is."""
    if isinstance(error, click.NoSuchOption) and error.ctx is not None:
        sentence = _GONE.get(error.ctx.command.name or "", {}).get(error.option_name)
        if sentence is not None:
            return click.UsageError(sentence, error.ctx)
    return error
