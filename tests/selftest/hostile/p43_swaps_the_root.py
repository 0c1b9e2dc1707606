"""Replace the root of all files; ENOENT means that permission was granted.

id: P43
kind: process
stopped by: own user EPERM; no capabilities EPERM; seccomp filter EPERM
outcome: EPERM
without them: ENOENT
besides as user: user namespace; pid namespace; network namespace; ipc namespace; read-only mounts
"""

from attacker import attempt, system_call


def attack(target):
    return attempt(system_call, "pivot_root", b"/nowhere", b"/nowhere")
