"""Command line: the only package that prints, exits and reads the environment.

`main` has the commands of students and instructors, `matrix`, `package` and `regress` those of course staff.
"""
