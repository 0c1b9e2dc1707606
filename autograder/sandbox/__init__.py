"""Sandbox: runs student code in a process of its own; plain values cross, nothing else does.

`host` is the grader's end and is trusted, `zygote` forks workers, `worker` runs beside student code, `isolation`
takes its rights away, `protocol` and `calls` are used at both ends. The packages export nothing, so that each
process loads only what it needs.
"""
