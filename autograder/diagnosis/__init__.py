"""Diagnosis: names the known mistakes whose replies equal the student's. A name gives words, never points.

The mistakes run in a process of their own (`apart`), and their wrong cells are kept (`known_replies`); `replies` finds
those of the student's replies, `diagnosis` chooses by sets of cells.
"""

from autograder.diagnosis.diagnosis import explain_passes
from autograder.diagnosis.known_replies import KnownReplies, find_rows
from autograder.diagnosis.replay import measure_need
