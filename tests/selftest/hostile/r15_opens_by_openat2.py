"""Open the reference by openat2, whose arguments a filter cannot see.

id: R15
kind: read
stopped by: empty root folder ENOENT; own user EACCES; Landlock EACCES; seccomp filter ENOSYS
outcome: ENOSYS
without them: secret
"""

import os
import struct

from attacker import steal, system_call


def attack(target):
    def opened():
        how = struct.pack("QQQ", os.O_RDONLY, 0, 0)
        return os.read(system_call("openat2", -100, target["reference"].encode(), how, len(how)), 10_000)

    return steal(target, opened)
