"""Sleep in every test until the whole run is out of time.

id: G5
kind: grader
stopped by: the grader's own clock, for each test and for the whole run
outcome: 0 of 4: not_run timed_out
no control: it runs in the grader, which nothing in a worker switches off
question: normalization
seconds: 2
"""

import time


def normalizeRows(x):
    time.sleep(1000)
