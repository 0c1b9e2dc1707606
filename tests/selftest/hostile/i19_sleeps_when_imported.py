"""Sleep while it is imported.

id: I19
kind: resource
stopped by: the grader's own clock
outcome: timed out: deadline
no control: it runs in the grader, which nothing in a worker switches off
seconds: 0.7
"""

import time

time.sleep(100)
