"""Mistakes: turns each known wrong answer of an assignment into a submission with just this mistake.

A file of `tests/mistakes/` holds plain functions under the decorator `mistake`, and edits of right functions by
`mistake_edit`; its package takes both from here.
"""

from autograder.mistakes.bank import MistakeBank
from autograder.mistakes.mistake import Mistake, mistake, mistake_edit
