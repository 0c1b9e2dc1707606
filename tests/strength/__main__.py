"""Command: edits a copy of the grader 60 times, and prints how many of the edits its self-tests catch."""

from __future__ import annotations

import argparse
import json
import queue
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.strength.edits import PROJECT, EngineEdit, choose_edits, read_equivalent
from tests.strength.runs import Copy, Settings, copy_project

_AT_A_TIME = 2
Record = dict[str, Any]
_CAUGHT, _SURVIVED, _LATE, _EQUIVALENT = "caught", "survived", "not finished", "equivalent"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print a line for each edit as it ends, and the counts; 1 if an edit survived."""
    options = _parse(arguments)
    edits = [edit for edit in choose_edits() if any(text in edit.id for text in options.only)]
    refuse_other_texts(edits, options.project)
    known, equivalent = _read_known(options.known), read_equivalent()
    settings = Settings(options.tests, options.marks, options.limit)
    with tempfile.TemporaryDirectory(prefix="strength-") as folder:
        copies: queue.Queue[Copy] = queue.Queue()
        for number in range(_AT_A_TIME):
            copy_project(options.project, Path(folder, str(number)))
            copies.put(Copy(Path(folder, str(number)), settings))
        with ThreadPoolExecutor(_AT_A_TIME) as threads:
            records = list(threads.map(lambda edit: _measure(edit, copies, known, equivalent), edits))
    if options.out is not None:
        options.out.write_text(json.dumps(records, indent=2) + "\n", encoding="utf-8")
    print(summarise(records))  # noqa: T201  (a command)
    return int(any(record["outcome"] == _SURVIVED for record in records))


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.strength", description=__doc__)
    parser.add_argument("--out", type=Path, help="write each edit and what caught it to this file, in JSON")
    parser.add_argument("--known", type=Path, help="such a file: try first what caught the edit then")
    parser.add_argument("--tests", choices=("package", "fast", "second"), default="second", help="what may catch it")
    parser.add_argument("--marks", default="", help="pytest's -m, for all runs")
    parser.add_argument("--limit", type=float, default=1800, help="seconds for an edit")
    parser.add_argument("--project", type=Path, default=PROJECT, help="a clone whose self-tests are measured instead")
    parser.add_argument("--only", nargs="+", default=[""], help="only edits with one of these texts in their name")
    return parser.parse_args(arguments)


def refuse_other_texts(edits: Sequence[EngineEdit], project: Path) -> None:
    """Raise SystemExit if a module of another clone differs from the one that is edited."""
    paths = {edit.path for edit in edits if (project / edit.path).read_text(encoding="utf-8") != edit.before}
    if paths:
        raise SystemExit(f"these modules have another text in {project}: {', '.join(sorted(paths))}")


def _read_known(path: Path | None) -> Mapping[str, str]:
    records = json.loads(path.read_text(encoding="utf-8")) if path is not None else []
    return {record["edit"]: record["caught_by"] for record in records if "::" in (record["caught_by"] or "")}


def _measure(
    edit: EngineEdit, copies: queue.Queue[Copy], known: Mapping[str, str], equivalent: Mapping[str, str]
) -> Record:
    record: Record = {"edit": edit.id, "path": edit.path, "operator": edit.kind, "diff": edit.change}
    if (reason := equivalent.get(edit.id)) is not None:
        record |= {"outcome": _EQUIVALENT, "caught_by": None, "reason": reason}
    else:
        copy = copies.get()
        try:
            outcome = copy.measure(edit, known.get(edit.id))
        finally:
            copies.put(copy)
        name = _CAUGHT if outcome.caught_by else _SURVIVED if outcome.is_finished else _LATE
        record |= {"outcome": name, "caught_by": outcome.caught_by}
    print(f"{record['outcome']}: {edit.id} [{record['caught_by']}]", file=sys.stderr, flush=True)  # noqa: T201
    return record


def summarise(records: Sequence[Record]) -> str:
    """Count the edits by their outcomes."""
    counts = Counter(record["outcome"] for record in records)
    told = ", ".join(f"{counts[name]} {name}" for name in (_EQUIVALENT, _CAUGHT, _SURVIVED, _LATE))
    share = counts[_CAUGHT] / max(len(records) - counts[_EQUIVALENT], 1)
    return f"{len(records)} edits: {told}; {share:.0%} of those that can be caught"


if __name__ == "__main__":
    raise SystemExit(main())
