"""Loop, ignore the warning that the computing time is over, and ask for more each time.

id: C3
kind: resource
stopped by: resource limits timed out: computing time
outcome: timed out: computing time
without them: timed out: deadline
besides: no capabilities
"""

import resource
import signal


def more(*_):
    resource.setrlimit(resource.RLIMIT_CPU, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


def attack(target):
    signal.signal(signal.SIGXCPU, more)
    while True:
        try:
            while True:
                pass
        except ValueError:
            continue
