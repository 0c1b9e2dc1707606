"""The same functions under another name."""

from _grader_basics import scores, squash, unit_rows
