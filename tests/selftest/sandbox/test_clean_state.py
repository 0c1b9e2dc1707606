"""Clean state: what the code of one check left behind does not help the next one, though both share a worker.

In each submission `area` is right only where it finds what `double` left. A control takes the clean state away.
"""

import pytest

from autograder.sandbox.host.client import Zygote
from tests.selftest.support.shared_judging import (
    Results,
    check_area,
    check_double,
    judge_all,
    make_material,
    make_test,
    summarize,
)

pytestmark = pytest.mark.slow

_TEMPLATE = """
{setup}
def double(x):
    {leave}
    return 2 * x
def area(width, height):
    return width * height if {found} else 0
"""
# Before the file is imported afresh, nothing is put back.
_WITHOUT = "import sys\nsys.modules['autograder.sandbox.worker.clean_state'].CleanState.restore = lambda self: True\n"

# By the kind of state: the lines before the functions, how `double` leaves it, and how `area` finds it.
KINDS = {
    "a global": ("kept = []", "kept.append(x)", "kept"),
    "a class attribute": ("class Kept: calls = 0", "Kept.calls += 1", "Kept.calls"),
    "a function attribute": ("", "area.kept = x", "hasattr(area, 'kept')"),
    "a mutable default": ("def keep(new, kept=[]): kept += new; return kept", "keep([x])", "keep([])"),
    "a closure": (
        "def make(kept): return lambda new: kept.append(new) or kept\nkeep = make([])",
        "keep(x)",
        "len(keep(0)) > 1",
    ),
    "a cache": (
        "import functools\n@functools.lru_cache\ndef cached(x): return x",
        "cached(x)",
        "cached.cache_info().currsize",
    ),
    "a helper module": ("import helper", "helper.kept = x", "hasattr(helper, 'kept')"),
    "numpy's handling of errors": (
        "import numpy as np",
        "np.seterr(divide='ignore')",
        "np.geterr()['divide'] == 'ignore'",
    ),
    "numpy's handler of errors": ("import numpy as np", "np.seterrcall(print)", "np.geterrcall()"),
    "numpy's print options": (
        "import numpy as np",
        "np.set_printoptions(precision=2)",
        "np.get_printoptions()['precision'] == 2",
    ),
    "numpy's buffer": ("import numpy as np", "np.setbufsize(16000)", "np.getbufsize() == 16000"),
    "numpy's generator": (
        "import numpy as np\nfirst = np.random.RandomState(0).random_sample()",
        "np.random.random_sample()",
        "np.random.random_sample() != first",
    ),
    "the generator of random": (
        "import random\nfirst = random.Random(0).random()",
        "random.random()",
        "random.random() != first",
    ),
    "a function of numpy.random": ("import numpy as np", "np.random.rand = abs", "np.random.rand is abs"),
    "a function of numpy": ("import numpy as np", "np.dot = abs", "np.dot is abs"),
    "a function of numpy.linalg": ("import numpy as np", "np.linalg.norm = abs", "np.linalg.norm is abs"),
    "a new name in numpy": ("import numpy as np", "np.kept = x", "hasattr(np, 'kept')"),
    "a builtin": ("import builtins", "builtins.abs = len", "abs is len"),
    "a name in a library module": ("import json", "json.kept = x", "hasattr(json, 'kept')"),
    "a name in a part of a library module": (
        "import json.decoder",
        "json.decoder.kept = x",
        "hasattr(json.decoder, 'kept')",
    ),
    "a class of the library": ("from collections import Counter", "Counter.kept = x", "hasattr(Counter, 'kept')"),
    "the class of random": ("import random", "random.Random.kept = x", "hasattr(random.Random, 'kept')"),
    "the environment": ("import os", "os.environ['KEPT'] = '1'", "'KEPT' in os.environ"),
    "the recursion limit": ("import sys", "sys.setrecursionlimit(4321)", "sys.getrecursionlimit() == 4321"),
    "filters of warnings": ("import warnings", "warnings.simplefilter('error')", "warnings.filters[0][0] == 'error'"),
    "the module path": ("import sys", "sys.path.append('kept')", "'kept' in sys.path"),
    "the finders": ("import sys\nclass Finder: find_spec = print", "sys.meta_path.append(Finder)", "kept()"),
    "a replaced module": (
        "import sys, types, json",
        "sys.modules['json'] = types.ModuleType('json')",
        "sys.modules['json'] is not json and not hasattr(sys.modules['json'], 'dumps')",
    ),
    "a new module": ("import sys, types", "sys.modules['kept'] = types.ModuleType('kept')", "'kept' in sys.modules"),
    "a thread that goes on": (
        "import threading, time",
        "threading.Thread(target=time.sleep, args=(9,), daemon=True).start()",
        "threading.active_count() > 1",
    ),
    "a thread below threading": (
        "import _thread, time",
        "_thread.start_new_thread(time.sleep, (9,)); time.sleep(0.02)",
        "_thread._count() > 0",
    ),
    "a tracer": ("import sys\ndef trace(*_): pass", "sys.settrace(trace)", "sys.gettrace()"),
    "a profiler": ("import sys\ndef trace(*_): pass", "sys.setprofile(trace)", "sys.getprofile()"),
    "a handler of signals": (
        "import signal",
        "signal.signal(signal.SIGUSR1, signal.SIG_IGN)",
        "signal.getsignal(signal.SIGUSR1) == signal.SIG_IGN",
    ),
    "the garbage collector": ("import gc", "gc.disable()", "not gc.isenabled()"),
    "the thresholds of the garbage collector": ("import gc", "gc.set_threshold(5)", "gc.get_threshold()[0] == 5"),
    "a written file": (
        "def read():\n    try: return open('kept').read()\n    except OSError: return ''",
        "open('kept', 'w').write('x')",
        "read()",
    ),
    "a file that is still open": (
        "import gc\ndef read():\n    gc.collect()\n    try: return open('kept').read()\n    except OSError: return ''",
        "kept = open('kept', 'w'); kept.write('x'); loop = [kept]; loop.append(loop)",
        "read()",
    ),
    "the decimal context": ("import decimal", "decimal.getcontext().prec = 5", "decimal.getcontext().prec == 5"),
    "the arguments of the program": ("import sys", "sys.argv.append('kept')", "'kept' in sys.argv"),
    "an output": ("import io, sys", "sys.stdout = io.StringIO()", "isinstance(sys.stdout, io.StringIO)"),
}
_FINDERS = (
    "def kept():\n    import sys\n    return any(getattr(each, '__name__', '') == 'Finder' for each in sys.meta_path)\n"
)


TESTS = [make_test(check_double, "double"), make_test(check_area, "area")]


def write(kind: str) -> str:
    setup, leave, found = KINDS[kind]
    return _FINDERS + _TEMPLATE.format(setup=setup, leave=leave, found=found)


def judge(text: str, zygote: Zygote, *, shares_workers: bool) -> Results:
    materials = make_material(text)
    own = {**materials["shapes"].own, "helper": ("helper.py", "", False)}
    object.__setattr__(materials["shapes"], "own", own)
    return summarize(judge_all(materials, TESTS, zygote, shares_workers=shares_workers))


@pytest.mark.sampled(second=12)
@pytest.mark.parametrize("kind", KINDS)
def test_what_one_check_left_helps_no_other(kind: str, zygote: Zygote) -> None:
    alone, together = (judge(write(kind), zygote, shares_workers=each) for each in (False, True))
    assert [verdict for verdict, *_ in alone] == ["passed", "failed"]
    assert together == alone


@pytest.mark.sampled(second=8)
@pytest.mark.parametrize("kind", KINDS)
def test_without_a_clean_state_it_helps(kind: str, zygote: Zygote) -> None:
    together = judge(_WITHOUT + write(kind), zygote, shares_workers=True)
    assert [verdict for verdict, *_ in together] == ["passed", "passed"]
