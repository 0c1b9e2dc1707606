"""Run a program that has root's rights by its set-user-id bit.

id: P51
kind: process
stopped by: read-only mounts its own user; empty root folder ENOENT; no new privileges its own user; Landlock EACCES;
    seccomp filter EPERM
stopped by as user: the kernel reserves it for root
outcome: EPERM
without them: root
no control as user: the kernel reserves it for root
besides: own user
besides as user: nothing
"""

import errno
import subprocess


def attack(target):
    try:
        user = subprocess.check_output([target["setuid"], "-u"], text=True).strip()
    except OSError as error:
        return errno.errorcode[error.errno]
    return "root" if user == "0" else "its own user"
