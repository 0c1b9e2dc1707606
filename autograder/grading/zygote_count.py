"""Zygote count: decides whether the two passes of a submission run beside each other, each with a zygote of its own.

Apart from `pass_process`, because the zygotes are launched before the rest of the grader is imported.
"""

from __future__ import annotations

import resource

_QUESTIONS_WORTH_IT = 3
_DESCRIPTORS_WORTH_IT = 64


def count_zygotes(at_once: int, questions: float) -> int:
    """Return the number of zygotes to launch: two where the passes run beside each other."""
    return 2 if is_worthwhile(at_once, questions) else 1


def is_worthwhile(at_once: int, questions: float) -> bool:
    """Whether a process for the hidden pass saves more than its start costs, and there are file descriptors for it.

    `at_once`: the number of tests that may run at the same time; more than two count as two.
    """
    descriptors, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return at_once > 1 and questions >= _QUESTIONS_WORTH_IT and descriptors >= _DESCRIPTORS_WORTH_IT
