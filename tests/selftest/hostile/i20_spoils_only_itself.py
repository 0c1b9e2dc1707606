"""Exit while it is imported, beside a right answer to another question.

kind: grader
stopped by: a separate process for each test
outcome: 6 of 10: not_written not_written, passed returned
no control: I18 shows it
question: rows, noise
"""

import os

os._exit(0)
