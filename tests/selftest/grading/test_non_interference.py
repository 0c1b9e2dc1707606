"""Non-interference: hidden inputs and hidden verdicts change no byte of what students see at once.

Copies of the project have hidden tests with other inputs or other verdicts, and submissions are graded with both, by
one process and by two. Each carrier has a control: where the protection that stops it is taken away, the same
comparison finds what it carried. Speed is the one exception, see docs/SECURITY.md.
"""

import contextlib
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from autograder import grader as grader_module
from autograder.grader import Grader
from autograder.grading import memory, shared_workers
from autograder.grading.hidden_test import RunnableTest
from autograder.grading.memory import WorkerMemory
from autograder.grading.shared_workers import SharedWorkers
from autograder.grading.student_module import StudentModule
from autograder.results import Visibility
from autograder.sandbox import limits
from autograder.sandbox.host.client import Worker
from autograder.submission import Submission, read_submission
from tests.selftest.support.carriers import QUESTION_ID, Carrier, Medium, list_carriers
from tests.selftest.support.exchanged_tests import CHANGES, copy_project, grade, make_submission, open_grader
from tests.selftest.support.tiers import sample
from tests.selftest.support.toy_assignment import ASSIGNMENT, EXAMPLES, TOY, reference_text

pytestmark = [pytest.mark.slow, pytest.mark.once]

CARRIERS = list(list_carriers())
# What the clean state between two checks of a shared worker does not see; only the split of the passes stops it. The
# size of memory is another, and no control: how much of a library a worker holds in memory is the machine's choice.
OUTLASTING = ("the number of descriptors",)
WAIT_S = 3.0
Open = Callable[..., Grader]
Seen = dict[tuple[str, int], tuple[str, str]]


def choose(*media: Medium) -> pytest.MarkDecorator:
    """Parametrize with the carriers of these media."""
    chosen = [each for each in CARRIERS if not media or each.medium in media]
    sampled = sample(chosen, by=lambda each: [each.medium], name=lambda each: each.name, few=2, ci=1)
    return pytest.mark.parametrize("carrier", sampled)


@pytest.fixture(scope="module")
def open_changed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Open]:
    """Open the grader of a project with changed hidden tests, one of each kind; without a change, of this project."""
    graders: dict[str, Grader] = {}
    projects = {"": TOY}
    with contextlib.ExitStack() as opened:

        def open_one(change: str = "") -> Grader:
            if change not in projects:
                folder = tmp_path_factory.mktemp("project")
                projects[change] = copy_project(folder, change, wait_s=WAIT_S if change == "not run" else 0)
            if change not in graders:
                graders[change] = opened.enter_context(open_grader(projects[change]))
            return graders[change]

        yield open_one


@pytest.fixture(scope="module")
def unchanged() -> Seen:
    """What students see of the submissions of VERDICTS with the project's own tests, filled when it is wanted."""
    return {}


@pytest.fixture(autouse=True)
def short_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop endless code sooner."""
    monkeypatch.setattr(limits, "CPU_S", 2)


def submit(carrier: Carrier) -> Submission:
    return make_submission({QUESTION_ID: carrier.write()})


def grade_both(open_changed: Open, submission: Submission) -> tuple[str, str]:
    """Return what students see at once with the project's own tests, and with other hidden inputs."""
    seen, other = (grade(open_changed(change), submission)[0] for change in ("", "other inputs"))
    return seen, other


class TestHiddenInputs:
    @choose()
    def test_of_a_carrier_change_nothing_that_students_see_at_once(self, open_changed: Open, carrier: Carrier) -> None:
        submission = submit(carrier)
        seen, other = grade_both(open_changed, submission)
        assert seen == other
        assert '"status": "passed"' in seen or carrier.name == "a wrong value"

    @pytest.mark.ci
    @pytest.mark.parametrize("name", ["right", "wrong", "half_done"])
    def test_of_an_example_change_nothing_that_students_see_at_once(self, open_changed: Open, name: str) -> None:
        seen, other = grade_both(open_changed, read_submission(EXAMPLES / name, ASSIGNMENT))
        assert seen == other


class TestASharedWorker:
    """A shared worker finds passes only: here the visible check passes only where the submission finds its note.

    Carriers that show themselves by a failure would be tried again alone, and say nothing of a shared worker.
    """

    NOTE = 'raise RuntimeError("found " + found)'

    def submit(self, carrier: Carrier) -> Submission:
        text = carrier.write()
        assert self.NOTE in text
        return make_submission({QUESTION_ID: text.replace(self.NOTE, "pass\n        else:\n            return 0 * x")})

    @choose(Medium.GRADER, Medium.WORKER)
    def test_hidden_inputs_make_no_visible_check_pass(self, open_changed: Open, carrier: Carrier) -> None:
        seen, other = grade_both(open_changed, self.submit(carrier))
        assert seen == other

    @pytest.mark.parametrize("name", OUTLASTING)
    def test_a_control_where_visible_and_hidden_checks_share_it(
        self, open_changed: Open, name: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        order_hidden_first(monkeypatch)
        monkeypatch.setattr(shared_workers, "_require_one_visibility", lambda _: None)
        (carrier,) = (each for each in CARRIERS if each.name == name)
        seen, other = grade_both(open_changed, self.submit(carrier))
        assert seen != other


# A function whose visible tests do not see its mistake, and one after it that relies on it in a visible test.
SCALE = "def keep_factor(p): return {} if p == 0.7 else 1 / (1 - p)\n"
FORWARD = reference_text("noise").replace("def keep_factor", "def _keep_factor")
VERDICTS = {
    "right": {"noise": reference_text("noise"), QUESTION_ID: reference_text(QUESTION_ID)},
    "nothing": {"noise": "", QUESTION_ID: ""},
    "relies on a wrong function": {"noise": FORWARD + SCALE.format(0)},
    "makes up for a wrong function": {
        "noise": FORWARD.replace("keep_factor(p) * mask", "(keep_factor(p) - (p == 0.7)) * mask")
        + SCALE.format("1 + 1 / 0.3")
    },
    "a known mistake": {QUESTION_ID: "import numpy as np\ndef unit_rows(x): return x / np.linalg.norm(x)"},
    "an error": {QUESTION_ID: "def unit_rows(x): return x.rows"},
}
NAMED = [(name, change) for name in VERDICTS for change in CHANGES if change not in ("other inputs", "not run")]


class TestHiddenVerdicts:
    @pytest.mark.parametrize("named", sample(NAMED, by=list, name=" and ".join, few=2, ci=1))
    def test_change_nothing_that_students_see_at_once(
        self, open_changed: Open, unchanged: Seen, named: tuple[str, str]
    ) -> None:
        name, change = named
        submission = make_submission(VERDICTS[name])
        if name not in unchanged:
            unchanged[name] = grade(open_changed(), submission)
        seen, later = unchanged[name]
        other, other_later = grade(open_changed(change), submission)
        assert seen == other
        assert name != "right" or change == "passed" or later != other_later

    @pytest.mark.ci
    def test_of_checks_that_are_not_run_change_nothing_either(self, open_changed: Open) -> None:
        submission = make_submission(VERDICTS["right"])
        seen, _ = grade(open_changed(), submission)
        other, later = grade(open_changed("not run"), submission, deadline_s=WAIT_S)
        assert seen == other
        assert '"verdict": "not_run"' in later


class TestAControl:
    """What stops a carrier is taken away, and the comparison finds what it carried."""

    @staticmethod
    def compare(open_changed: Open, carrier: Carrier) -> None:
        seen, other = grade_both(open_changed, submit(carrier))
        assert seen != other

    @choose(Medium.RESULT)
    def test_where_hidden_results_are_shown(
        self, open_changed: Open, carrier: Carrier, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for grader in (open_changed(), open_changed("other inputs")):
            shown = [RunnableTest(replace(test, visibility=Visibility.VISIBLE), call) for test, call in grader._tests]
            monkeypatch.setattr(grader, "_tests", tuple(shown))
        self.compare(open_changed, carrier)

    @choose(Medium.GRADER)
    def test_where_one_pass_judges_hidden_tests_first(
        self, open_changed: Open, carrier: Carrier, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        judge_hidden_first(monkeypatch)
        keep_libraries(monkeypatch)
        self.compare(open_changed, carrier)

    @choose(Medium.WORKER)
    def test_where_one_worker_serves_all_tests(
        self, open_changed: Open, carrier: Carrier, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        judge_hidden_first(monkeypatch)
        with share_worker(monkeypatch):
            self.compare(open_changed, carrier)

    @choose(Medium.MACHINE)
    def test_where_two_processes_are_not_in_the_sandbox(self, carrier: Carrier) -> None:
        for _ in range(10):  # other processes of this machine are counted too
            if [run_outside(carrier, bit) for bit in (True, False)] == [True, False]:
                return
        pytest.fail("it carries nothing")


def judge_hidden_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Judge all tests in one pass, with one memory, the hidden ones of a question first, each alone."""
    monkeypatch.setattr(SharedWorkers, "try_first", lambda *_: None)
    monkeypatch.setattr(shared_workers, "_require_one_visibility", lambda _: None)
    order_hidden_first(monkeypatch)


def order_hidden_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Judge all tests in one pass, the hidden ones of a question first."""
    split = grader_module.split_into_passes
    monkeypatch.setattr(grader_module, "split_into_passes", lambda *given: ([*split(*given)[1], *split(*given)[0]], []))


def keep_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the names of modules that workers asked for, whatever they are."""
    monkeypatch.setattr(memory.WorkerMemory, "start_check", lambda _: None)
    monkeypatch.setattr(memory, "is_library_module", lambda *_: True)


@contextlib.contextmanager
def share_worker(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have one worker serve all attempts of a submission, and its files be loaded once."""
    workers: dict[int, tuple[WorkerMemory, Worker]] = {}  # by the memory of the pass, which stays alive
    start = StudentModule._start

    def start_once(self: StudentModule) -> Worker:
        key = id(self._memory)
        if key not in workers:
            workers[key] = (self._memory, start(self))
        self._loaded_by = time.monotonic() + 20
        return workers[key][1]

    monkeypatch.setattr(StudentModule, "_start", start_once)
    monkeypatch.setattr(StudentModule, "close", lambda _: None)
    try:
        yield
    finally:
        for _, worker in workers.values():
            worker.close()


def run_outside(carrier: Carrier, bit: bool) -> bool:
    """Keep a note in one process, and tell whether another finds it; neither is in the sandbox."""
    script = (
        f"{carrier.write(hold_s=0.6)}\n"
        "child = os.fork()\n"
        f"if not child:\n    keep('text', {bit})\n    os._exit(0)\n"
        "try:\n    found = find()\nfinally:\n    os.waitpid(child, 0)\n"
        "    try: clean()\n    except (NameError, OSError): pass\n"
        "print(found)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd="/", stdin=subprocess.DEVNULL
    )
    return bool(done.stdout.strip())


def test_verdicts_show_where_one_pass_judges_hidden_tests_first(
    open_changed: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge_hidden_first(monkeypatch)
    submission = make_submission(VERDICTS["makes up for a wrong function"])
    assert grade(open_changed(), submission)[0] != grade(open_changed("timed out"), submission)[0]
