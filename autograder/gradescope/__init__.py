"""Gradescope: turns a report into Gradescope's results.json, and reads the files that Gradescope writes.

Exports nothing: every start loads `schema`; `files` and `lint` are slow to load and are imported
only when needed.
"""
