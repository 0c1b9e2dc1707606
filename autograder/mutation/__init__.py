"""Mutation: turns a reference solution into versions of it with one error each, and calls into what sets them apart.

The matrix judges the hidden tests by such versions, and the diagnosis looks for the one that a student's code equals.
"""
