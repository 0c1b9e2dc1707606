"""Naming table: judges wrong functions of four origins, and writes how many the diagnosis names into docs/diagnosis.md.

Run as `python -m tests.selftest.support.naming_table`; `--list` prints the others, `--only` takes question ids.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import islice
from typing import NamedTuple

from autograder import cpu_count
from autograder.contracts.random_cases import DrawnContract
from autograder.diagnosis.kept_points import GENERAL
from autograder.matrix.function_judge import FunctionJudge
from autograder.mistakes import Mistake
from autograder.mutation.mutant import Mutant
from autograder.results import CheckResult, Verdict
from tests.selftest import second_wordings
from tests.selftest.support.doubles import OTHER_NAMES, judge_doubles
from tests.selftest.support.grading import ASSIGNMENT, PROJECT, load
from tests.selftest.support.left_out import audit_names, make_reference
from tests.selftest.support.name_audit import Audited
from tests.selftest.support.replayed_submission import find_contracts, hidden_tests, judge, judge_module

PAGE = PROJECT / "docs" / "diagnosis.md"
BEGIN = "<!-- made by python -m tests.selftest.support.naming_table -->"
END = "<!-- end of the made part -->"
ORIGINS = ("known mistakes", "second wordings", "generated mutants", "doubles")
RIGHT, WRONG, HELPED, NOTHING = "named rightly", "named wrongly", "helped", "nothing"
MUTANTS = 8  # of each function: the sample of those that fail a check
CASES = 60  # of a contract: they show which mutants to make, and whether a name is right
SEED = 1
_HELP = (
    "  relation:",
    "  gradient:",
    "  next:",
    "  where:",
    "  hint:",
    "  expected: what the assignment asks for",
    "  found:    a dict without ",
)
_KIND = re.compile(r"^FAIL .* (is|are) wrong (?!in \d)|^FAIL .*, such as ", re.MULTILINE)  # the kind of the wrong cases


class Named(NamedTuple):
    """A wrong function, its origin, and how the diagnosis of its failed checks is judged."""

    stem: str
    origin: str
    name: str
    verdict: str
    names: tuple[str, ...]


def judge_question(stem: str) -> list[Named]:
    """Judge the wrong functions of all origins of a question."""
    known = [_judge_known(ORIGINS[0], each.id, each) for each in load(stem) if each.ends]
    known += [_judge_known(ORIGINS[1], each.mistake_id, each.as_mistake()) for each in second_wordings.load(stem)]
    return [each for each in (*known, *_judge_mutants(stem), *_judge_doubles(stem)) if each is not None]


def _judge_known(origin: str, expected: str, wrong: Mistake) -> Named | None:
    judged = judge(wrong.stem, wrong.function, wrong.wrong, graded=wrong.graded_function, explains=True)
    lost = _list_lost(judged.checks)
    names = {name for each in lost for name in each.diagnosis}
    verdict = RIGHT if names == {expected} else WRONG if names else describe_help(lost)
    audited = list(audit_names(wrong, judged)) if verdict == WRONG else []
    if audited and all(each.name.startswith(GENERAL) and each.is_confirmed for each in audited):
        verdict = HELPED  # such as "right except where x is square", of a function that is wrong there alone
    return Named(wrong.stem, origin, wrong.id, verdict, tuple(sorted(names))) if lost else None


def _judge_doubles(stem: str) -> Iterator[Named]:
    for each in judge_doubles(stem):
        is_right = each.named and (each.named <= each.expected or each.named == OTHER_NAMES.get(each.expected))
        verdict = RIGHT if is_right else WRONG if each.named else HELPED
        yield Named(stem, ORIGINS[3], each.name, verdict, tuple(sorted(each.named)))


def _judge_mutants(stem: str) -> Iterator[Named]:
    for contract in find_contracts(stem).values():
        judged = (judge_mutant(stem, contract, mutant) for mutant in list_sample(stem, contract))
        yield from islice(filter(None, judged), MUTANTS)


def list_sample(stem: str, contract: DrawnContract) -> list[Mutant]:
    """List the mutants of a function in the order of the sample."""
    tests = [each for each in hidden_tests(stem) if contract.function in each.test.functions]
    cases = contract.draw_cases(SEED, CASES)
    mutants = FunctionJudge(make_reference(stem), contract, tests, cases).list_mutants() if tests else []
    random.Random(f"{SEED} {stem} {contract.function}").shuffle(mutants)
    return mutants


def judge_mutant(stem: str, contract: DrawnContract, mutant: Mutant) -> Named | None:
    """Judge a mutant; None if it fails no check, or gives no value in any that it fails: its error is the diagnosis."""
    reference = make_reference(stem)
    judged = judge_module(stem, contract.function, partial(reference.make_module, mutant.install))
    lost = _list_lost(judged.checks)
    if all(each.outcome != "returned" for each in lost):
        return None
    own, audited = f"general.{mutant.kind and mutant.kind.value}", Audited(mutant, reference, contract)
    is_right = judged.by_name and all(
        name == own or audited.is_confirmed(each) for name, each in judged.by_name.items()
    )
    verdict = RIGHT if is_right else WRONG if judged.by_name else describe_help(lost)
    return Named(stem, ORIGINS[2], f"{contract.function}: {mutant.name}", verdict, tuple(sorted(judged.by_name)))


def _list_lost(checks: Sequence[CheckResult]) -> list[CheckResult]:
    return [each for each in checks if each.verdict in (Verdict.FAILED, Verdict.PARTIAL, Verdict.NOT_WRITTEN)]


def describe_help(lost: Sequence[CheckResult]) -> str:
    """Tell whether some failed check says more than the values: a relation, where it is wrong, a step, or an error."""
    is_error = any(each.outcome != "returned" for each in lost)
    says_where = any(_KIND.search(each.output) for each in lost)
    return HELPED if is_error or says_where or any(mark in each.output for each in lost for mark in _HELP) else NOTHING


def render(judged: Sequence[Named]) -> str:
    """Render the table."""
    rows = [("", *ORIGINS), ("---", *("---:" for _ in ORIGINS))]
    stems = list(dict.fromkeys(each.stem for each in judged))
    for title, chosen in (*((stem, (stem,)) for stem in stems), ("all", stems)):
        of_rows = [each for each in judged if each.stem in chosen]
        rows.append((title, *(_render_cell([each for each in of_rows if each.origin == origin]) for origin in ORIGINS)))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _render_cell(judged: Sequence[Named]) -> str:
    counts = Counter(each.verdict for each in judged)
    return " / ".join(str(counts[verdict]) for verdict in (RIGHT, WRONG, HELPED, NOTHING)) if judged else ""


def replace_part(page: str, table: str) -> str:
    """Return the page with this table between its marks."""
    start, end = page.index(BEGIN) + len(BEGIN), page.index(END)
    return f"{page[:start]}\n{table}\n{page[end:]}"


def main() -> None:
    """Write the table, or print what is not named rightly."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    stems = options.only.split(",") if options.only else [stem for stem in ASSIGNMENT.stems if find_contracts(stem)]
    with ProcessPoolExecutor(cpu_count.count_whole(), multiprocessing.get_context("spawn")) as pool:
        judged = [each for found in pool.map(judge_question, stems) for each in found]
    for each in judged if options.list else ():
        print(each.stem, each.origin, each.verdict, each.name, *each.names, sep=" | ")
    print(render(judged))
    if not options.only:
        PAGE.write_text(replace_part(PAGE.read_text(encoding="utf-8"), render(judged)), encoding="utf-8")


if __name__ == "__main__":
    main()
