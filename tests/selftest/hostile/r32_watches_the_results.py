"""Watch the results folder, to learn when which file is written.

id: R32
kind: read
stopped by: empty root folder ENOENT; own user EACCES; seccomp filter EPERM
outcome: EPERM
without them: done
"""

from attacker import attempt, system_call


def attack(target):
    def watch():
        system_call("inotify_add_watch", system_call("inotify_init1", 0), target["results_dir"].encode(), 0xFFF)

    return attempt(watch)
