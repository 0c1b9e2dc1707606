"""Start threads until there are 400, each with the usual 8 MiB of stack.

id: C7
kind: resource
stopped by: resource limits can't start new thread
outcome: can't start new thread
without them: 400 threads
"""

import threading


def attack(target):
    stop, word = threading.Event(), "400 threads"
    threading.stack_size(8 * 2**20)
    for _ in range(400):
        try:
            threading.Thread(target=stop.wait, daemon=True).start()
        except (RuntimeError, MemoryError):
            word = "can't start new thread"
            break
    stop.set()
    return word
