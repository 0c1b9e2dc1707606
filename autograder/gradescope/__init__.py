"""Gradescope: turns a report into Gradescope's results.json, and reads the files that Gradescope writes.

Exports nothing: every start loads `results_json`; `files` is slow to load and is imported only when needed.
"""
