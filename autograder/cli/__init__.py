"""Command line: turns arguments into calls; the only package that prints, exits and reads the environment.

`grade` has the command that grades a submission, `questions`, `package` and `regress` the commands of course staff, and
`main` the others.
"""

CLONE, INSTALLED = "run_autograder", "autograder"  # the names of the command
