"""Known mistakes run once, in a process of their own; what is kept of them is read when a submission is graded."""

from __future__ import annotations
