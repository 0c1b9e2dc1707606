"""Exit while it is imported, beside a right answer to another question.

id: I20
kind: grader
stopped by: a separate process for each test
outcome: 10 of 14: not_written not_written, passed returned
no control: I18 shows it
question: normalization, dropout
"""

import os

os._exit(0)
