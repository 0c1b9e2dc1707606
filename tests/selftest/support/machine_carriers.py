"""Machine carriers: the codes of carriers that leave a note in the kernel or on the machine, for another process.

See `carriers`, in whose template they are run: `hold` waits while the note is looked for, `poll` looks for it, `clean`
removes what stays.
"""

from collections.abc import Mapping

_THREADS = """
        def keep(text, bit):
            for _ in range(28 if bit else 0):
                threading.Thread(target=time.sleep, args=(HOLD_S,), daemon=True).start()
            hold()"""
_MORE = """def find():
            try: start = count()
            except OSError: return ''
            return poll(lambda: count() >= start + 20)"""
_IPC = """
        def keep(text, bit):
            if bit: libc.{get}(0x6772, *{arguments}, 0o1666)
            hold()
        def find(): return poll(lambda: libc.{get}(0x6772, *{arguments}, 0) >= 0)
        def clean():
            libc.{control}(libc.{get}(0x6772, *{arguments}, 0), *{remove})
    """
_FILE = """
        path = {!r}
        def keep(text, bit):
            if bit: os.close(os.open(path, os.O_CREAT | os.O_WRONLY))
            hold()
        def find(): return poll(lambda: os.close(os.open(path, os.O_RDONLY)) is None)
        def clean(): os.unlink(path)
    """
MACHINE: Mapping[str, str] = {
    "an abstract socket": """
        def keep(text, bit):
            if bit:
                made = socket.socket(socket.AF_UNIX)
                made.bind('\\0kept by a carrier')
                made.listen()
            hold()
        def find(): return poll(lambda: socket.socket(socket.AF_UNIX).connect('\\0kept by a carrier') is None)
    """,
    "a port": """
        def keep(text, bit):
            if bit:
                made = socket.socket()
                made.bind(('127.0.0.1', 47111))
                made.listen()
            hold()
        def find(): return poll(lambda: socket.socket().connect(('127.0.0.1', 47111)) is None)
    """,
    "a file in /tmp": _FILE.format("/tmp/kept-by-a-carrier"),
    "shared memory with a name": _FILE.format("/dev/shm/kept-by-a-carrier"),
    "shared memory without a name": """
        shared = mmap.mmap(-1, 4096)
        def keep(text, bit):
            shared[0] = bit
            hold()
        def find(): return poll(lambda: shared[0])
    """,
    "a lock on a file that all may read": """
        def keep(text, bit):
            if bit:
                file = open(np.__file__)
                fcntl.flock(file, fcntl.LOCK_EX)
            hold()
        def is_locked():
            with open(np.__file__) as file:
                try: fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError: return True
        def find(): return poll(is_locked)
    """,
    "flags of standard input": """
        def keep(text, bit):
            if bit: fcntl.fcntl(0, fcntl.F_SETFL, fcntl.fcntl(0, fcntl.F_GETFL) | os.O_APPEND)
            hold()
        def find(): return poll(lambda: fcntl.fcntl(0, fcntl.F_GETFL) & os.O_APPEND)
    """,
    "shared memory of System V": _IPC.format(get="shmget", arguments="(4096,)", control="shmctl", remove="(0, 0)"),
    "a semaphore of System V": _IPC.format(get="semget", arguments="(1,)", control="semctl", remove="(0, 0)"),
    "a message queue of System V": _IPC.format(get="msgget", arguments="()", control="msgctl", remove="(0, 0)"),
    "the number of the machine's threads": f"""{_THREADS}
        def count():
            with open('/proc/loadavg') as file: return int(file.read().split('/')[1].split()[0])
        {_MORE}
    """,
    "the number of the machine's processes": f"""{_THREADS}
        def count():
            told = ctypes.create_string_buffer(256)
            if libc.sysinfo(told): raise OSError
            return int.from_bytes(told.raw[80:82], sys.byteorder)
        {_MORE}
    """,
    "the numbers of processes": """
        def keep(text, bit):
            end = time.monotonic() + HOLD_S
            while bit and time.monotonic() < end:
                for _ in range(20):
                    each = threading.Thread(target=int)
                    each.start(); each.join()
            hold()
        def count():
            told = []
            each = threading.Thread(target=lambda: told.append(threading.get_native_id()))
            each.start(); each.join()
            return told[0]
        def find():
            start, number = count(), iter(range(1, 10**9))
            return poll(lambda: count() > start + next(number) + 1000)
    """,
    "the numbers of pipes": """
        def keep(text, bit):
            end = time.monotonic() + HOLD_S
            while bit and time.monotonic() < end:
                for each in os.pipe(): os.close(each)
            hold()
        def count():
            both = os.pipe()
            number = os.fstat(both[0]).st_ino
            for each in both: os.close(each)
            return number
        def find():
            try: start = count()
            except OSError: return ''
            own = iter(range(0, 10**9, 1100))
            return poll(lambda: max(count() for _ in range(1100)) > start + next(own) + 10000)
    """,
    "the list of processes": """
        def keep(text, bit):
            if bit: libc.prctl(15, b'kept-note', 0, 0, 0)
            hold()
        def look():
            for each in os.listdir('/proc'):
                try:
                    if each.isdigit() and 'kept-note' in open(f'/proc/{each}/comm').read(): return True
                except OSError: pass
        def find(): return poll(look)
    """,
    "the state of a process": """
        def keep(text, bit):
            end = time.monotonic() + HOLD_S
            while bit and time.monotonic() < end: pass
            hold()
        family = [str(os.getpid()), str(os.getppid())]
        def is_running(each):
            try: state = open(f'/proc/{each}/stat').read().rpartition(')')[2].split()
            except OSError: return False
            return state[0] == 'R' and state[1] in family and int(each) != os.getpid()
        since = {}
        def look():  # every process runs when it starts: only one that goes on is a note
            global since
            now = time.monotonic()
            numbers = filter(str.isdigit, os.listdir('/proc'))
            since = {each: since.get(each, now) for each in numbers if is_running(each)}
            return any(now - first > HOLD_S / 3 for first in since.values())
        def find(): return poll(look)
    """,
}
