"""Fork by clone3, whose flags a filter cannot see.

id: P18
kind: process
stopped by: seccomp filter ENOSYS
outcome: ENOSYS
without them: done
"""

import os
import struct

from attacker import attempt, system_call


def attack(target):
    def clone():
        arguments = struct.pack("8Q", 0, 0, 0, 0, 17, 0, 0, 0)
        child = system_call("clone3", arguments, len(arguments))
        if child == 0:
            os._exit(0)
        os.waitpid(child, 0)

    return attempt(clone)
