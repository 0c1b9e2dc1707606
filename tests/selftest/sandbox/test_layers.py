"""No layer affects right code, and what is left out is reported; `test_hostile` shows what each layer stops."""

import contextlib
import os
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from autograder.sandbox.host.client import Zygote
from autograder.sandbox.limits import Limits
from autograder.sandbox.preload import find_modules_to_preload
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.layers import Layer
from tests.selftest.support.grader_process import wait_for
from tests.selftest.support.hostile_environment import NAMESPACES
from tests.selftest.support.worker_calls import exchange, find

pytestmark = pytest.mark.slow

# Layers that a worker may lack and still end with its zygote.
OWN_LAYERS = frozenset(Layer) - NAMESPACES - {Layer.PROCESS, Layer.ENDS_WITH_GRADER}


@pytest.fixture(scope="module")
def zygotes() -> Iterator[dict[bool, Zygote]]:
    """Yield two zygotes: one with its own namespaces, one with the grader's."""
    with Zygote() as inside, Zygote(without=NAMESPACES) as outside:
        yield {True: inside, False: outside}


@pytest.mark.parametrize("has_namespaces", [True, False])
def test_what_a_worker_leaves_behind_is_swept(zygotes: dict[bool, Zygote], has_namespaces: bool) -> None:
    name = f"orphan-{os.getpid()}"
    source = f"""
import ctypes, os, time
def f():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            ctypes.CDLL(None).prctl(15, {name.encode()!r}, 0, 0, 0)
            time.sleep(60)
        os._exit(0)
"""
    worker = zygotes[has_namespaces].spawn(Limits(), preload=("ctypes",), without=frozenset({Layer.SECCOMP}))
    exchange(worker, messages.CALL, find(worker, source)[1], ())
    wait_for(lambda: _named(name))
    worker.close()
    assert not _named(name)


def _named(name: str) -> list[str]:
    found = []
    for path in Path("/proc").glob("[0-9]*/comm"):
        with contextlib.suppress(OSError):  # it has ended meanwhile
            found += [path.parent.name] if path.read_text().strip() == name else []
    return found


def test_what_is_left_out_is_reported(zygotes: dict[bool, Zygote]) -> None:
    worker = zygotes[True].spawn(Limits(), preload=(), without=OWN_LAYERS)
    worker.close()
    left_out = {report.name: report for report in worker.layers if report.name in OWN_LAYERS}
    assert left_out == {layer.value: (layer.value, False, "left out on purpose") for layer in OWN_LAYERS}


RIGHT = {
    "threads": """
        import threading, queue
        from concurrent.futures import ThreadPoolExecutor
        def f():
            results = queue.Queue()
            threads = [threading.Thread(target=results.put, args=(i,)) for i in range(8)]
            [t.start() for t in threads]; [t.join() for t in threads]
            with ThreadPoolExecutor(4) as pool:
                return sorted(results.get() for _ in threads) + list(pool.map(abs, [-1, 2]))
    """,
    "linear algebra": """
        import numpy as np
        def f():
            x = np.arange(9.0).reshape(3, 3) + np.eye(3)
            np.linalg.svd(x), np.linalg.inv(x), np.linalg.eigh(x @ x.T), np.linalg.qr(x)
            np.linalg.lstsq(x, x, rcond=None), np.linalg.norm(x), np.einsum("ij,jk->ik", x, x, optimize=True)
            return np.ones((400, 400)).dot(np.ones((400, 400)))[0, 0]
    """,
    "threads that numpy starts": """
        import ctypes, os
        os.environ["OPENBLAS_NUM_THREADS"] = "4"
        import numpy as np
        def f():
            library = ctypes.CDLL(np.linalg._umath_linalg.__file__)
            for name in ("scipy_openblas_%s_num_threads64_", "openblas_%s_num_threads64_", "openblas_%s_num_threads"):
                if hasattr(library, name % "set"):
                    getattr(library, name % "set")(2)
                    assert getattr(library, name % "get")() == 2
            x = np.random.rand(200, 200)
            assert np.allclose(x @ np.linalg.inv(x), np.eye(200), atol=1e-6)
            return float((x @ x).sum())
    """,
    "chance": """
        import random, secrets, uuid
        import numpy as np
        def f():
            np.random.seed(3); random.seed(3); np.random.RandomState(0); np.random.default_rng()
            return (np.random.randn(2), random.choice([1, 2]), secrets.token_hex(2), str(uuid.uuid4()), random.random())
    """,
    "copies": """
        import copy, pickle, json, io
        from dataclasses import dataclass, field, asdict, replace
        import numpy as np
        @dataclass
        class P:
            stack: list = field(default_factory=list)
            w: object = None
        def f():
            p = P([1], np.ones(3))
            copies = copy.deepcopy([p, np.random.default_rng(0)])
            np.savez(io.BytesIO(), w=p.w)
            return pickle.loads(pickle.dumps(p.w)), json.loads(json.dumps(asdict(replace(p, w=None))))
    """,
    "time": """
        import time, datetime, signal
        def f():
            time.sleep(0.01); signal.signal(signal.SIGALRM, lambda *a: None); signal.setitimer(signal.ITIMER_REAL, 0.01)
            signal.pause()
            return time.time(), time.perf_counter(), str(datetime.datetime.now()), time.strftime("%Y")
    """,
    "plots": """
        import matplotlib
        matplotlib.use("agg")
        import matplotlib.pyplot as plt
        plt.rcParams["figure.figsize"] = (10, 8)
        def f():
            figure, axes = plt.subplots()
            axes.plot([1, 2], label="loss")
            plt.savefig("loss.png")
            return 1
    """,
    "files": """
        import glob, os, tempfile
        import numpy as np
        def f():
            os.makedirs("saved", exist_ok=True)
            np.save("saved/params.npy", np.ones(2))
            found = glob.glob("saved_*.npy"), os.path.exists("data"), os.path.abspath("x"), os.path.expanduser("~/x")
            try:
                open("missing.txt")
            except FileNotFoundError:
                return np.load("saved/params.npy"), found
    """,
    "warnings and tracebacks": """
        import traceback, warnings, logging, sys
        import numpy as np
        def f():
            warnings.warn("one"); np.log(np.zeros(1)); logging.warning("two")
            try:
                1 / 0
            except ZeroDivisionError:
                traceback.print_exc()
            print("three", file=sys.stderr)
            return len(traceback.format_stack())
    """,
    "letters": """
        def f():
            \u03b8 = "\\N{GREEK SMALL LETTER THETA}"
            return [\u03b8.encode(name) for name in ("utf-16", "utf-8-sig", "cp1253", "iso8859-7", "idna")]
    """,
    "itself": """
        import os, platform, resource, sys, time, gc, inspect, tracemalloc, multiprocessing, locale
        def f():
            os.kill(os.getpid(), 0); os.getuid(); os.getcwd(); os.cpu_count(); platform.python_version(); os.urandom(3)
            gc.collect(); inspect.signature(f); resource.getrlimit(resource.RLIMIT_CPU); resource.getrusage(0)
            tracemalloc.start(); locale.localeconv()
            os.getpgid(0); os.getsid(os.getpid()); os.sched_getaffinity(0); os.fdopen(os.dup(1), "w").write("three")
            return sys.getsizeof(f), platform.system(), os.get_terminal_size(0) if os.isatty(0) else time.process_time()
    """,
}


def test_a_zygote_with_namespaces_has_a_host_name_of_its_own(zygotes: dict[bool, Zygote]) -> None:
    with contextlib.closing(zygotes[True].spawn(Limits(), preload=())) as worker:
        if (Layer.PID_NAMESPACE.value, True, "") not in worker.layers:
            pytest.skip("this system has no namespaces")
    assert os.readlink(f"/proc/{zygotes[True]._process.pid}/ns/uts") != os.readlink("/proc/self/ns/uts")


@pytest.mark.parametrize("source", RIGHT.values(), ids=RIGHT)
def test_right_code_notices_nothing(zygotes: dict[bool, Zygote], source: str) -> None:
    text = textwrap.dedent(source)
    preload = find_modules_to_preload([text])
    reply, printed = _reply_of(zygotes[True], text, preload)
    while reply[0] == messages.WANTS_LIBRARY and reply[1] not in preload:  # as the grader does
        preload += (reply[1],)
        reply, printed = _reply_of(zygotes[True], text, preload)
    assert reply[0] == messages.RETURNED, (reply, printed)


def _reply_of(zygote: Zygote, text: str, preload: tuple[str, ...]) -> tuple[tuple[Any, ...], bytes]:
    with contextlib.closing(zygote.spawn(Limits(), preload=preload)) as worker:
        found = find(worker, text)
        reply = exchange(worker, messages.CALL, found[1], ()) if messages.is_returned(found) else found
        return reply, worker.connection.printed
