"""Exit with success while it is imported.

kind: resource
stopped by: a separate process for each test; only a reply counts
outcome: not written
in one process: exit status 0
"""

import os

os._exit(0)
