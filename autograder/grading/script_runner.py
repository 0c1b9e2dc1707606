"""Script runner: first tries all tests of a question and one visibility together, in a shared worker, by their scripts.

It finds passes only. Whatever does not pass here is tried again alone, in a fresh worker, and only that is reported.
Hidden and visible tests never share a worker, since each pass has a runner of its own, and no function of the grader's
takes part in a script.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from autograder.grading.attempt_result import AttemptResult
from autograder.grading.attempt_runner import AttemptRunner
from autograder.grading.hidden_test import HiddenTest, RunnableTest
from autograder.grading.material import Material
from autograder.grading.script import ScriptFailed
from autograder.grading.script_replies import Reply, are_replies
from autograder.grading.shared_worker import SharedWorker
from autograder.results import Visibility
from autograder.sandbox import limits as limit

Replies = dict[str, tuple[RunnableTest, list[Reply]]]  # by the id of the test


@dataclass
class ScriptRunner:
    """Runs the scripts of one pass over a submission, whose tests have one visibility; call `close` at its end.

    `deadline`: the monotonic time at which the run ends.
    """

    runner: AttemptRunner
    tests: Sequence[RunnableTest]
    deadline: float
    _stem: str = ""
    _replies: Replies = field(default_factory=dict)
    _failed: set[str] = field(default_factory=set)  # the ids of tests

    def __post_init__(self) -> None:
        self._worker = SharedWorker(self.runner, (each.test.stem for each in self.tests))

    def close(self) -> None:
        """End the worker."""
        self._worker.close()

    def find_pass(self, test: HiddenTest) -> AttemptResult | None:
        """Return the result of a test that passes by its script; None where an attempt of its own has to decide.

        No worker is left in that case.
        """
        passed = self._find_pass(test)
        if passed is None:
            self.close()
        return passed

    def has_failed(self, test: HiddenTest) -> bool:
        """Whether the replies to the script of a test were wrong, or ended with a call that brought no value."""
        return test.test_id in self._failed

    def _find_pass(self, test: HiddenTest) -> AttemptResult | None:
        if test.stem != self._stem:
            self._stem = test.stem
            self._replies = self._run_question(self.runner.materials[test.stem])
        if test.test_id not in self._replies or self.runner.scripts is None:
            return None
        runnable, replies = self._replies.pop(test.test_id)
        try:
            notes = self.runner.scripts.find_pass(runnable, self.runner.materials[test.stem], replies)
        except ScriptFailed:
            self._failed.add(test.test_id)
            return None
        return AttemptResult(notes=notes) if notes is not None else None

    def _run_question(self, material: Material) -> Replies:
        """Send the scripts of the question's tests to one worker; return the replies of those that it answered."""
        main, stem, book = material.files.main, material.question.stem, self.runner.scripts
        memory = self.runner.memory
        is_broken = (stem, False) in memory.statement_loads or (stem, False) in memory.load_failures
        if main is None or book is None or is_broken or memory.waiting.is_spent(stem):
            return {}
        found = [(each, book.find(each, material)) for each in self._list_tests(stem)]
        scripts = [(each, script) for each, script in found if script is not None]
        if not scripts:
            return {}
        tests = [
            (
                material.find_supplied(each.test.functions),
                script.packed,
                limit.limit_callbacks(each.test.need).most,
            )
            for each, script in scripts
        ]
        replies = self._worker.run(material, main.module, tests, deadline=self.deadline)
        answered = zip(scripts, replies, strict=False)
        return {each.test.test_id: (each, answer) for (each, _), answer in answered if are_replies(answer)}

    def _list_tests(self, stem: str) -> list[RunnableTest]:
        tests = [each for each in self.tests if each.test.stem == stem]
        if len({each.test.visibility is Visibility.VISIBLE for each in tests}) > 1:
            raise ValueError("visible and hidden tests would share a worker")
        return tests
