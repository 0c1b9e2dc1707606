"""Place: runs the canary attacks as if in another place, where the kernel refuses some system calls, and prints it all.

Started as a program: python -m tests.selftest.support.place FOLDER CALL:ERROR... It gives up the calls and prints the
reports as JSON.
"""

from __future__ import annotations

import errno
import json
import sys
from pathlib import Path

import pyseccomp

from autograder.sandbox.host.client import Zygote
from autograder.sandbox.host.self_check import Targets, prove


def main() -> None:
    """Go there and try the attacks."""
    folder, *refused = sys.argv[1:]
    give_up(refused)
    source = Path(folder, "source")
    source.write_text("secret")
    source.chmod(0o600)
    with Zygote() as zygote:
        print(json.dumps(prove(zygote, Targets(source, Path(folder)))))


def give_up(refused: list[str]) -> None:
    """Have the kernel refuse calls from here on, each with the error after its colon."""
    rules = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
    for name, error in (each.split(":") for each in refused):
        rules.add_rule(pyseccomp.ERRNO(getattr(errno, error)), name)
    if refused:
        rules.load()


if __name__ == "__main__":
    main()
