"""Fork as often as it can; it stops at 40 here.

id: P8
kind: process
stopped by: resource limits EAGAIN; seccomp filter EPERM
stopped by as user: seccomp filter EPERM
outcome: EPERM
without them: 40 children
besides: own user
besides as user: nothing
"""

import errno
import os
import signal


def attack(target):
    children, word = [], "40 children"
    for _ in range(40):
        try:
            child = os.fork()
        except OSError as error:
            word = errno.errorcode[error.errno]
            break
        if child == 0:
            signal.pause()
        children.append(child)
    for child in children:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    return word
