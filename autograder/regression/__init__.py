"""Regression: grades a class into a folder, compares two such folders, and writes the report of one.

`regress` composes the three steps; each reads files and writes files, and can be used alone.
"""
