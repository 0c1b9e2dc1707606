"""Create a device file for the disk.

id: W22
kind: write
stopped by: read-only mounts EROFS; empty root folder ENOENT; own user EPERM; no capabilities EPERM; Landlock EACCES;
    seccomp filter EPERM
stopped by as user: the kernel reserves it for root
outcome: EPERM
without them: done
no control as user: the kernel reserves it for root
"""

import os
import stat

from attacker import attempt


def attack(target):
    return attempt(os.mknod, target["scratch"] + "/disk", stat.S_IFBLK | 0o666, os.makedev(8, 0))
