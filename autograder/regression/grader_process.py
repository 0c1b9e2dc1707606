"""Grader process: loads the grader, forks processes that grade one submission after another, and ends.

Run with the grader's rights, as python -I grader_process.py LIBRARIES DESCRIPTOR... CONTROL... UID..., one of each for
each process; like every grader it runs no student code. Trusts the process at the other end of the descriptors,
connections of `multiprocessing`: the first has the request, and each answers why nothing can be graded, or the id of
its process. That gets jobs and answers each by a reply. It ends when its connection is closed, or when the run dies,
whose child it becomes. CONTROL and UID are the endpoint of its zygote, which the run launched with the LIBRARIES.

What is loaded is in memory once, apart from the pages that the forks change.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import time
import traceback
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    from autograder.cpu_count import ONE_THREAD

    os.environ.update(ONE_THREAD)  # before numpy is imported
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the run handles Ctrl-C and ends this process

from autograder.assignment import AssignmentError, load_assignment
from autograder.grader import Grader, SelfCheck
from autograder.gradescope.results_json import build_results
from autograder.grading.hidden_test import HiddenTestError
from autograder.regression.grader_pool import Job, Reply
from autograder.regression.question_store import QuestionStore
from autograder.regression.request import RegressRequest
from autograder.regression.reuse import ReusedReport, ReusingGrader
from autograder.regression.staff_files import hash_staff_files
from autograder.sandbox.host.launcher import Launcher, SandboxError
from autograder.sandbox.isolation import kernel
from autograder.submission import SubmissionError, read_tree

if TYPE_CHECKING:
    Channel = Connection[Any, Any]
_REFUSALS = (AssignmentError, HiddenTestError, SandboxError, SubmissionError)  # nothing can be graded
_LOOK_EVERY_S = 0.001


class GraderServer:
    """The grader and the request that all submissions share."""

    def __init__(self, request: RegressRequest, launcher: Launcher) -> None:
        """Collect the hidden tests; `launcher`: of the zygote, which may be starting still.

        Raises one of the _REFUSALS.
        """
        self._request = request
        self._only = request.only or None
        self._assignment = load_assignment(request.root)
        self_check = SelfCheck(request.results_dirs[0], request.is_strict)  # once, before the processes fork
        self.grader = Grader(
            self._assignment, only=self._only, self_check=self_check, kept=request.kept, launcher=launcher
        )
        self._grade = partial(self.grader.grade, deadline_s=request.deadline_s)
        self._reusing: ReusingGrader | None = None
        if request.question_folders:
            store = QuestionStore(request.question_folders, request.run)
            staff = hash_staff_files(self._assignment)
            self._reusing = ReusingGrader(self._grade, store, staff, deadline_s=request.deadline_s)

    def reply_to(self, job: Job) -> Reply:
        """Grade one submission; return its results, or the reason why it is unreadable, or our fault."""
        try:
            submission = read_tree(job.packed, self._assignment, self._only)
            if self._reusing is not None:
                graded = self._reusing.grade(submission, job.again)
            else:
                graded = ReusedReport(self._grade(submission))
        except SubmissionError as error:
            return Reply(unreadable=str(error))
        except Exception:  # noqa: BLE001  (any other error is our fault with this submission; the others are graded)
            return Reply(fault=traceback.format_exc(limit=-6))
        report = graded.report
        return Reply(
            results=build_results(report).as_fields(),
            seconds={check.number or check.title: round(check.seconds, 4) for check in report.checks},
            questions=len(report.questions),
            reused=graded.reused,
            refused=graded.refused,
        )


def main(channels: Sequence[Channel], launchers: Sequence[Launcher]) -> None:
    """Load the grader, and fork a process for each channel."""
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    run = os.getppid()
    with suppress(EOFError):  # the run needs no process any more
        request = channels[0].recv()
        try:
            server = GraderServer(request, launchers[0])
        except _REFUSALS as error:
            for each in channels:
                each.send(str(error))
            return
        kernel.return_large_memory()
        gc.freeze()  # what is loaded so far is permanent: a collection would change, and copy, its pages
        for number in range(len(channels)):
            if os.fork() == 0:
                _become_grader(number, channels, launchers, server, run)


def _become_grader(
    number: int, channels: Sequence[Channel], launchers: Sequence[Launcher], server: GraderServer, run: int
) -> NoReturn:
    try:
        for other, (channel, launcher) in enumerate(zip(channels, launchers, strict=True)):
            if other != number:  # so that the end of another process is noticed
                channel.close()
                launcher.close()
        server.grader.take_zygote(launchers[number])
        _follow(run)
        with suppress(EOFError):
            channels[number].send(os.getpid())
            while True:
                channels[number].send(server.reply_to(channels[number].recv()))
    finally:
        os._exit(0)


def _follow(run: int) -> None:
    """Wait until the loader has ended, and end with the run from now on."""
    loader = os.getppid()
    while os.getppid() == loader != run:
        time.sleep(_LOOK_EVERY_S)
    kernel.end_with_parent(run)


if __name__ == "__main__":
    libraries, count = [name for name in sys.argv[1].split(",") if name], len(sys.argv[2:]) // 3
    numbers = [int(number) for number in sys.argv[2:]]
    endpoints = zip(numbers[count : 2 * count], numbers[2 * count :], strict=True)
    main([Connection(each) for each in numbers[:count]], [Launcher.borrow(*each, libraries) for each in endpoints])
    os._exit(0)  # the zygotes belong to the forks
