"""Docker: builds the grader's image, and turns a submission into results in a container of it.

Only the command line uses it; this package knows nothing of checks.
"""
