"""Machine carriers: the codes of carriers that leave a note in the kernel or on the machine, for another process.

See `carriers`, in whose template they are run: `hold` waits while the note is looked for, `poll` looks for it, `clean`
removes what stays.
"""

from __future__ import annotations

from collections.abc import Mapping

_THREADS = (
    "def keep(text, bit):\n    for _ in range(28 if bit else 0):\n"
    "        threading.Thread(target=time.sleep, args=(HOLD_S,), daemon=True).start()\n    hold()\n"
)
_IPC = (
    "def keep(text, bit):\n    if bit: libc.{get}(0x6772, *{arguments}, 0o1666)\n    hold()\n"
    "def find(): return poll(lambda: libc.{get}(0x6772, *{arguments}, 0) >= 0)\n"
    "def clean():\n    libc.{control}(libc.{get}(0x6772, *{arguments}, 0), *{remove})"
)
MACHINE: Mapping[str, str] = {
    "an abstract socket": (
        "def keep(text, bit):\n    if bit:\n        made = socket.socket(socket.AF_UNIX)\n"
        "        made.bind('\\0kept by a carrier')\n        made.listen()\n    hold()\n"
        "def find(): return poll(lambda: socket.socket(socket.AF_UNIX).connect('\\0kept by a carrier') is None)"
    ),
    "a port": (
        "def keep(text, bit):\n    if bit:\n        made = socket.socket()\n        made.bind(('127.0.0.1', 47111))\n"
        "        made.listen()\n    hold()\n"
        "def find(): return poll(lambda: socket.socket().connect(('127.0.0.1', 47111)) is None)"
    ),
    "a file in /tmp": (
        "path = '/tmp/kept-by-a-carrier'\n"
        "def keep(text, bit):\n    if bit: os.close(os.open(path, os.O_CREAT | os.O_WRONLY))\n    hold()\n"
        "def find(): return poll(lambda: os.close(os.open(path, os.O_RDONLY)) is None)\n"
        "def clean(): os.unlink(path)"
    ),
    "shared memory with a name": (
        "path = '/dev/shm/kept-by-a-carrier'\n"
        "def keep(text, bit):\n    if bit: os.close(os.open(path, os.O_CREAT | os.O_WRONLY))\n    hold()\n"
        "def find(): return poll(lambda: os.close(os.open(path, os.O_RDONLY)) is None)\n"
        "def clean(): os.unlink(path)"
    ),
    "shared memory without a name": (
        "shared = mmap.mmap(-1, 4096)\n"
        "def keep(text, bit):\n    shared[0] = bit\n    hold()\n"
        "def find(): return poll(lambda: shared[0])"
    ),
    "a lock on a file that all may read": (
        "def keep(text, bit):\n    if bit:\n        file = open(np.__file__)\n"
        "        fcntl.flock(file, fcntl.LOCK_EX)\n    hold()\n"
        "def is_locked():\n    with open(np.__file__) as file:\n"
        "        try: fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)\n        except BlockingIOError: return True\n"
        "def find(): return poll(is_locked)"
    ),
    "flags of standard input": (
        "def keep(text, bit):\n    if bit: fcntl.fcntl(0, fcntl.F_SETFL, fcntl.fcntl(0, fcntl.F_GETFL) | os.O_APPEND)\n"
        "    hold()\n"
        "def find(): return poll(lambda: fcntl.fcntl(0, fcntl.F_GETFL) & os.O_APPEND)"
    ),
    "shared memory of System V": _IPC.format(get="shmget", arguments="(4096,)", control="shmctl", remove="(0, 0)"),
    "a semaphore of System V": _IPC.format(get="semget", arguments="(1,)", control="semctl", remove="(0, 0)"),
    "a message queue of System V": _IPC.format(get="msgget", arguments="()", control="msgctl", remove="(0, 0)"),
    "the number of the machine's threads": (
        f"{_THREADS}"
        "def count():\n    with open('/proc/loadavg') as file: return int(file.read().split('/')[1].split()[0])\n"
        "def find():\n    try: start = count()\n    except OSError: return ''\n"
        "    return poll(lambda: count() >= start + 20)"
    ),
    "the number of the machine's processes": (
        f"{_THREADS}"
        "def count():\n    told = ctypes.create_string_buffer(256)\n    if libc.sysinfo(told): raise OSError\n"
        "    return int.from_bytes(told.raw[80:82], sys.byteorder)\n"
        "def find():\n    try: start = count()\n    except OSError: return ''\n"
        "    return poll(lambda: count() >= start + 20)"
    ),
    "the numbers of processes": (
        "def keep(text, bit):\n    end = time.monotonic() + HOLD_S\n    while bit and time.monotonic() < end:\n"
        "        for _ in range(20):\n            each = threading.Thread(target=int)\n"
        "            each.start(); each.join()\n"
        "    hold()\n"
        "def count():\n    told = []\n"
        "    each = threading.Thread(target=lambda: told.append(threading.get_native_id()))\n"
        "    each.start(); each.join()\n    return told[0]\n"
        "def find():\n    start, number = count(), iter(range(1, 10**9))\n"
        "    return poll(lambda: count() > start + next(number) + 1000)"
    ),
    "the numbers of pipes": (
        "def keep(text, bit):\n    end = time.monotonic() + HOLD_S\n    while bit and time.monotonic() < end:\n"
        "        for each in os.pipe(): os.close(each)\n    hold()\n"
        "def count():\n    both = os.pipe()\n    number = os.fstat(both[0]).st_ino\n"
        "    for each in both: os.close(each)\n    return number\n"
        "def find():\n    try: start = count()\n    except OSError: return ''\n    own = iter(range(0, 10**9, 1100))\n"
        "    return poll(lambda: max(count() for _ in range(1100)) > start + next(own) + 10000)"
    ),
    "the list of processes": (
        "def keep(text, bit):\n    if bit: libc.prctl(15, b'kept-note', 0, 0, 0)\n    hold()\n"
        "def look():\n    for each in os.listdir('/proc'):\n        try:\n"
        "            if each.isdigit() and 'kept-note' in open(f'/proc/{each}/comm').read(): return True\n"
        "        except OSError: pass\n"
        "def find(): return poll(look)"
    ),
    "the state of a process": (
        "def keep(text, bit):\n    end = time.monotonic() + HOLD_S\n    while bit and time.monotonic() < end: pass\n"
        "    hold()\n"
        "family = [str(os.getpid()), str(os.getppid())]\n"
        "def is_running(each):\n    try: state = open(f'/proc/{each}/stat').read().rpartition(')')[2].split()\n"
        "    except OSError: return False\n"
        "    return state[0] == 'R' and state[1] in family and int(each) != os.getpid()\n"
        "since = {}\n"
        "def look():  # every process runs when it starts: only one that goes on is a note\n"
        "    global since\n    now = time.monotonic()\n"
        "    numbers = filter(str.isdigit, os.listdir('/proc'))\n"
        "    since = {each: since.get(each, now) for each in numbers if is_running(each)}\n"
        "    return any(now - first > HOLD_S / 3 for first in since.values())\n"
        "def find(): return poll(look)"
    ),
}
