"""Sleep in every test until the whole run is out of time.

id: G5
kind: grader
stopped by: the grader's deadline, for each test and for the whole run
outcome: 0 of 4: not_run timed_out
no control: the grader enforces it, and no worker can switch it off
question: rows
seconds: 2
"""

import time


def unit_rows(x):
    time.sleep(1000)
