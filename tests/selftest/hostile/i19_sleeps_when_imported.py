"""Sleep while it is imported.

kind: resource
stopped by: the grader's deadline
outcome: timed out: deadline
no control: the grader enforces it, and no worker can switch it off
seconds: 0.7
"""

import time

time.sleep(100)
