"""Bank: the known mistakes of this course, for the self-tests."""

from __future__ import annotations

from pathlib import Path

from autograder.assignment import load_assignment
from autograder.diagnosis import CaughtBank
from autograder.mistakes import MistakeBank

BANK = MistakeBank(load_assignment(Path(__file__).resolve().parents[3]))
CAUGHT = CaughtBank(BANK.assignment)
load = BANK.load
find_rows = CAUGHT.find_rows
build_submission_source = BANK.build_submission_source
read_right_source = BANK.read_right_source
read_price_reasons = BANK.read_price_reasons
