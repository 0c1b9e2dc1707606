"""Gradescope: turns a report into results.json as Gradescope takes it, and reads what Gradescope tells.

Exports nothing: `schema` loads at once, `results_file`, `metadata` and `lint` only where they are needed, for
they are slow to load.
"""
