"""Sandbox: runs student code in a separate process and exchanges only plain values with it.

`host` is the grader's side and is trusted, `worker` runs next to student code, `isolation` forks it and drops its
privileges, and `protocol` and the modules here are used on both sides. The packages export nothing, so that each
process loads only the modules that it needs.
"""
