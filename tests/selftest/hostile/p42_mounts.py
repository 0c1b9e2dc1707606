"""Mount a file system over a folder; ENODEV, since its type does not exist, means that permission was granted.

id: P42
kind: process
stopped by: empty root folder ENOENT; own user EPERM; no capabilities EPERM; Landlock EPERM; seccomp filter EPERM
outcome: EPERM
without them: ENODEV
besides as user: user namespace; pid namespace; network namespace; ipc namespace; read-only mounts
"""

from attacker import attempt, system_call


def attack(target):
    return attempt(system_call, "mount", None, target["scratch"].encode(), b"nothing", 0, None)
