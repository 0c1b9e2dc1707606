"""A forged answer to a choice is a wrong one, whatever it is."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from autograder.checks import CheckFailed, answer_checks
from autograder.programs.plain_values import Handle
from autograder.student import Remote

pytestmark = pytest.mark.once

FORGED = [np.array(["b"]), np.zeros(2), np.zeros(0), Remote(SimpleNamespace(), Handle(1, "str", False)), ["b"], None]


@pytest.mark.parametrize("answer", FORGED, ids=lambda each: type(each).__name__)
def test_a_choice_that_is_no_text_is_wrong(answer: Any) -> None:
    questions: Any = SimpleNamespace(quiz_minimum=lambda: answer)
    with pytest.raises(CheckFailed):
        answer_checks.require_choice(questions, "quiz.minimum", "b")


def test_the_right_letter_passes() -> None:
    questions: Any = SimpleNamespace(quiz_minimum=lambda: "b")
    answer_checks.require_choice(questions, "quiz.minimum", "b")
