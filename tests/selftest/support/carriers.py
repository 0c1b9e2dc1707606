"""Carriers: submissions that try to carry the inputs of a hidden check into a visible one, each in its own way.

`keep(text, bit)` runs in the first hidden check, with its input and one bit of it; `find()` runs in the visible check
and returns a text if it finds something there, which the check then shows.
"""

import textwrap
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import NamedTuple

from tests.selftest.support.machine_carriers import MACHINE

QUESTION_ID, FUNCTION = "rows", "unit_rows"
_TEMPLATE = """
import ctypes, fcntl, gc, mmap, os, resource, signal, socket, sys, threading, time, warnings
import numpy as np

HOLD_S = {hold_s}
libc = ctypes.CDLL(None)

def hold():
    time.sleep(HOLD_S)

def poll(look):
    end = time.monotonic() + HOLD_S
    while True:
        try:
            if look():
                return "a note"
        except (OSError, RuntimeError, AttributeError):
            pass
        if time.monotonic() >= end:
            return ""
        time.sleep(0.01)

def find():
    return ""

{code}

def unit_rows(x):
    x = np.asarray(x, dtype=float)
    if x.shape == (4, 3):  # the visible check, whose input everybody knows
        found = find()
        if found:
            raise RuntimeError("found " + found)
    elif x.shape == (3, 3):  # the bit is the same for 2 * x[::-1] + 1, with which the check calls the function first
        keep(repr(x.tolist()), bool((x[0, 1] - x[2, 1]) * (x[0, 2] - x[2, 2]) > 0))
    return x / np.maximum(np.linalg.norm(x, axis=1, keepdims=True), 1e-300)
"""


class Medium(Enum):
    """The place where a carrier leaves its note, which decides what shows that it works."""

    RESULT = "the result of the hidden check"
    GRADER = "the grader's memory of earlier attempts"
    WORKER = "the process of the worker"
    MACHINE = "the kernel and the machine"


class Carrier(NamedTuple):
    """One submission, by the code of `keep` and `find`; `clean`, if it is there, removes what was left."""

    name: str
    medium: Medium
    code: str

    def write(self, *, hold_s: float = 0.0, function: str = FUNCTION) -> str:
        """Write the file of the question; `hold_s`: how long a note is kept and looked for, in seconds.

        `function`: the name of the same function in another assignment, whose checks have the same inputs.
        """
        whole = _TEMPLATE.replace("{hold_s}", str(hold_s)).replace("{code}", textwrap.dedent(self.code))
        return whole.replace(FUNCTION, function)


_RESULT = {
    "the text of an error": "def keep(text, bit): raise ValueError(text)",
    "the notes of an error": """
        def keep(text, bit):
            error = ValueError()
            error.__notes__ = [text]
            raise error from KeyError(text)
    """,
    "the class of an error": "def keep(text, bit): raise type('E' + text[:15].encode().hex(), (Exception,), {})",
    "a builtin class of an error": "def keep(text, bit): raise (ValueError if bit else KeyError)",
    "being a stub": "def keep(text, bit):\n    if bit: raise NotImplementedError(text)",
    "the name of a function": """
        def keep(text, bit):
            made = {}
            name = 'f' + text.encode().hex()[:80]
            exec(f'def {name}(): raise ValueError', made)
            made[name]()
    """,
    "the name of a file": "def keep(text, bit): exec(compile('raise ValueError', text, 'exec'))",
    "the number of a line": """
        def keep(text, bit):
            lines = chr(10) * (sum(text.encode()) % 40)
            exec(compile(lines + 'raise ValueError', __file__, 'exec'))
    """,
    "printed text": "def keep(text, bit):\n    print(text)\n    raise ValueError",
    "text on standard error": "def keep(text, bit):\n    sys.stderr.write(text)\n    raise ValueError",
    "a warning": (
        "def keep(text, bit):\n    warnings.warn(text)\n    warnings.warn(text, stacklevel=2)\n    raise ValueError"
    ),
    "printed megabytes": "def keep(text, bit):\n    while bit: print(text * 1000)",
    "an exit status": "def keep(text, bit): os._exit(sum(text.encode()) % 250 + 1)",
    "the argument of sys.exit": "def keep(text, bit): sys.exit(text)",
    "a signal": "def keep(text, bit): os.kill(os.getpid(), signal.SIGUSR1 if bit else signal.SIGTERM)",
    "being killed": "def keep(text, bit):\n    if bit: os.kill(os.getpid(), signal.SIGKILL)",
    "a wrong value": "def unit_rows(x): return np.asarray(x) * 2",
    "the kind of a value": "def keep(text, bit):\n    if bit: raise StopIteration",
    "a large reply": """
        def keep(text, bit):
            global unit_rows
            right = unit_rows
            raise ValueError(text * (10**6 if bit else 1))
    """,
    "all memory": "def keep(text, bit):\n    if bit: bytearray(2**40)",
    "endless recursion": "def keep(text, bit):\n    if bit: keep(text, bit)",
    "closed descriptors": "def keep(text, bit):\n    if bit: os.closerange(0, 64)",
}

_GRADER = {
    "the name of a module": """
        def keep(text, bit):
            try: __import__('json.x' + text.encode().hex())
            except ImportError: pass
        def find():
            sets = [each for each in gc.get_objects() if type(each) is frozenset]
            return next((str(name) for each in sets for name in each if 'json.x' in str(name)), '')
    """,
    "honest names of modules": """
        before = set(sys.modules)
        def keep(text, bit): __import__('colorsys' if bit else 'wave')
        def find(): return ''.join(sorted(before & {'colorsys', 'wave'}))
    """,
    "the order of modules": """
        before = [name for name in sys.modules if name in ('colorsys', 'wave')]
        def keep(text, bit):
            for name in ('colorsys', 'wave')[:: 1 if bit else -1]: __import__(name)
        def find(): return ' '.join(before)
    """,
    "the number of modules": """
        names = ['colorsys', 'wave', 'netrc', 'mailbox', 'sched', 'plistlib', 'shelve', 'cgitb', 'rlcompleter']
        before = set(sys.modules)
        def keep(text, bit):
            for name in names[: 9 if bit else 3]: __import__(name)
        def find(): return str(len(before & set(names)) or '')
    """,
    "a file that loads no more": """
        if 'wave' in sys.modules: raise ValueError('found a note')
        def keep(text, bit):
            if bit: __import__('wave')
    """,
    "a shorter time limit": """
        def keep(text, bit):
            while bit: pass
        def find(): return '' if resource.getrlimit(resource.RLIMIT_CPU)[0] >= 2 else 'a note'
    """,
}

_WORKER = {
    "a module": "import json\ndef keep(text, bit): json.kept = text\ndef find(): return getattr(json, 'kept', '')",
    "a global": "kept = []\ndef keep(text, bit): kept.append(text)\ndef find(): return str(kept or '')",
    "a builtin": (
        "import builtins\ndef keep(text, bit): builtins.kept = text\ndef find(): return getattr(builtins, 'kept', '')"
    ),
    "numpy's generator": """
        start = np.random.get_state()[1][:4].tolist()
        def keep(text, bit): np.random.seed(sum(text.encode()))
        def find():
            now = np.random.get_state()[1][:4].tolist()
            return str(now) if now != start else ''
    """,
    "numpy's settings": """
        def keep(text, bit): np.seterr(all='raise' if bit else 'ignore')
        def find(): return '' if np.geterr()['divide'] == 'warn' else np.geterr()['divide']
    """,
    "the environment": (
        "def keep(text, bit): os.environ['KEPT'] = text\ndef find(): return os.environ.get('KEPT', '')"
    ),
    "a file": """
        def keep(text, bit):
            with open('kept', 'w') as file: file.write(text)
        def find():
            try: return open('kept').read()
            except OSError: return ''
    """,
    "the size of memory": (
        # A worker has 25 to 40 MB, by what the machine holds in memory, and 64 MiB more with the note: half between.
        "kept = []\ndef keep(text, bit): kept.append(b'x' * (2**26 if bit and not kept else 1))\n"
        "def find(): return 'a note' if resource.getrusage(resource.RUSAGE_SELF).ru_maxrss > 65_000 else ''"
    ),
    "the number of threads": """
        def keep(text, bit):
            for _ in range(20 if bit else 0):
                threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
        def find(): return str(threading.active_count()) if threading.active_count() > 5 else ''
    """,
    "the number of descriptors": """
        def keep(text, bit):
            for _ in range(20 if bit else 0): os.dup(0)
        def find():
            new = os.dup(0)
            os.close(new)
            return str(new) if new > 15 else ''
    """,
    "code that was changed": """
        def kept(): return ''
        def keep(text, bit): kept.__code__ = eval(f'lambda: {text!r}').__code__
        def find(): return kept()
    """,
    "a handler of signals": """
        def keep(text, bit): signal.signal(signal.SIGUSR1, (lambda *_: None) if bit else signal.SIG_IGN)
        def find():
            left = signal.getsignal(signal.SIGUSR1)
            return '' if left == signal.SIG_DFL else str(callable(left))
    """,
    "the mask of new files": """
        def keep(text, bit): os.umask(0o71 if bit else 0o72)
        def find(): return {0o71: 'a note', 0o72: 'another'}.get(os.umask(0o22), '')
    """,
    "a thread that goes on": """
        def keep(text, bit): threading.Thread(target=setattr, args=(sys, 'kept', text)).start()
        def find(): return getattr(sys, 'kept', '')
    """,
    "the order of a dictionary": """
        order = {'a': 0, 'b': 0}
        def keep(text, bit): order['a' if bit else 'b'] = order.pop('a' if bit else 'b')
        def find(): return '' if list(order) == ['a', 'b'] else 'a note'
    """,
    "an object that is deleted": """
        class Kept:
            def __del__(self): sys.kept = self.text
        def keep(text, bit):
            made = Kept()
            made.text = text
        def find(): return getattr(sys, 'kept', '')
    """,
    "the end of a process": """
        import atexit
        def keep(text, bit): atexit.register(setattr, sys, 'kept', text)
        def find():
            atexit._run_exitfuncs()
            return getattr(sys, 'kept', '')
    """,
    "a name of the process": """
        def keep(text, bit): libc.prctl(15, b'kept' if bit else b'none', 0, 0, 0)
        def find():
            name = ctypes.create_string_buffer(16)
            libc.prctl(16, name, 0, 0, 0)
            return name.value.decode() if name.value in (b'kept', b'none') else ''
    """,
}


def list_carriers() -> Iterator[Carrier]:
    """List all carriers."""
    groups: Mapping[Medium, Mapping[str, str]] = {
        Medium.RESULT: _RESULT,
        Medium.GRADER: _GRADER,
        Medium.WORKER: _WORKER,
        Medium.MACHINE: MACHINE,
    }
    for medium, codes in groups.items():
        for name, code in codes.items():
            yield Carrier(name, medium, code)
