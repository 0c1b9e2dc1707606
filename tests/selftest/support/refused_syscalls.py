"""Refused system calls: runs the sandbox's self-check while the kernel refuses some calls, and prints the reports.

Started as a program: python -m tests.selftest.support.refused_syscalls FOLDER CALL:ERROR... It has the kernel refuse
the calls, then prints the reports as JSON.
"""

import errno
import json
import sys
from pathlib import Path

import pyseccomp

from autograder.sandbox.host.client import Zygote
from autograder.sandbox.host.self_check import Targets, run_self_check


def main() -> None:
    """Refuse the calls and run the self-check."""
    folder, *refused = sys.argv[1:]
    refuse_calls(refused)
    source = Path(folder, "source")
    source.write_text("secret")
    source.chmod(0o600)
    with Zygote() as zygote:
        print(json.dumps(run_self_check(zygote, Targets(source, Path(folder)))))


def refuse_calls(refused: list[str]) -> None:
    """Make the kernel refuse calls from now on, each with the error after its colon."""
    rules = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
    for name, error in (each.split(":") for each in refused):
        rules.add_rule(pyseccomp.ERRNO(getattr(errno, error)), name)
    if refused:
        rules.load()


if __name__ == "__main__":
    main()
