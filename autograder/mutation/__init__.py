"""Mutation: turns a reference solution into versions of it with one error each.

The matrix judges the hidden tests by such versions, and a new question has its first known mistakes from them.
"""
