"""Command line: turns arguments into calls; the only package that prints, exits and reads the environment.

`main` has the commands `grade`, `doctor` and `selftest`; `matrix`, `package` and `regress` those of course staff.
"""

CLONE, INSTALLED = "run_autograder", "autograder"  # the names of the command
