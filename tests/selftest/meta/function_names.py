"""Function names: measures how many functions of the grader have a name that begins with a verb, and lists the others.

Started as a program: python -m tests.selftest.meta.function_names [PATH ...]; without a path it reads autograder/.
Properties, predicates and special methods are not counted: their names are statements or Python's.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.selftest.support.project_sources import PROJECT, read_nodes

PREDICATES = ("is", "are", "was", "were", "has", "have", "had", "may", "can", "needs", "looks", "matches", "differs")
# Only words that are verbs before anything else: a `report` or a `test` may be either, so they are not here.
VERBS = frozenset(
    """
    abort accept acquire add adopt advise aggregate align allow analyse append apply arrange ask assert assign attach
    await become begin bind block bound build bundle call cancel capture catch check choose claim clean clear climb
    close
    collapse collect combine compare compile complete compress compute confine connect consume contain continue convert
    copy count crash create cut deal decide declare decode decompress deduct deliver deny derive describe detach detect
    determine diagnose differentiate disable discard discover dispatch display divide drain draw drop dump emit enable
    encode end enforce ensure enter enumerate escape establish evaluate examine exchange exclude execute exit expand
    expect explain export expose extend extract fail feed fetch fill filter find fingerprint finish fit flatten flush
    follow forbid force fork forget format freeze gather generate get give go grade guard guess handle hash hide hold
    identify ignore import include index infer inform initialise insert inspect install interpret interrupt invoke
    isolate iterate join judge keep kill label launch lay learn leave limit lint list listen load locate lock log look
    lookup lower make map mark match measure merge mention move multiply normalize note notice observe offer omit open
    order overwrite pack parse partition pass pause pick place poll prefer preload prepare preserve press prevent print
    produce prompt protect prune publish pull push put quiet quote raise rank reach read rebuild receive recognise
    recompute record recover redirect reduce refer reflect refuse register reject relate release remember remove rename
    render repack repeat replace replay reply request require reserve reset reshape resolve respond restart restore
    restrict resume retry retrieve return reuse run sample sanitize save say scan schedule score seal search see seed
    select send separate serialize serve set shorten show shrink shut signal skip slice sort spawn split spread stack
    start stay stop store strip submit substitute subtract suggest sum summarise supply suppress swap sweep switch take
    tell terminate throw tokenize touch trace transform translate treat trim truncate try turn understand undo uninstall
    unpack unregister unwrap update use validate verify visit wait walk want warm warn watch weigh widen withdraw wrap
    write yield
    """.split()  # noqa: SIM905  (a block of words is read more easily than 400 quoted ones)
)
SHARE = 0.9  # at least so many of the grader's functions begin with a verb


def read_functions(path: Path) -> Iterator[tuple[str, int]]:
    """Yield the name and the line of each function of a file that is counted."""
    for node in read_nodes(path):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and _is_counted(node):
            yield node.name, node.lineno


def begins_with_verb(name: str) -> bool:
    """Tell whether the first word of a function's name is a verb."""
    return name.strip("_").split("_")[0].lower() in VERBS


def find_sources(paths: list[str]) -> list[Path]:
    """Return the Python files named or below the folders named, without the starter code."""
    roots = [Path(path) for path in paths] or [PROJECT / "autograder"]
    found = [file for root in roots for file in (sorted(root.rglob("*.py")) if root.is_dir() else [root])]
    return [path for path in found if "starter_modules" not in path.parent.parts]


def measure_share(paths: list[Path]) -> float:
    """Return the share of the functions counted whose name begins with a verb."""
    names = [name for path in paths for name, _ in read_functions(path)]
    return sum(map(begins_with_verb, names)) / max(1, len(names))


def _is_counted(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    if node.name.startswith("__") or node.name.strip("_").split("_")[0] in PREDICATES:
        return False
    decorators = [ast.unparse(each) for each in node.decorator_list]
    return not any("property" in each or each.endswith(".setter") for each in decorators)


def main() -> None:
    """Print each function whose name does not begin with a verb, and the share of those that do."""
    paths = find_sources(sys.argv[1:])
    for path in paths:
        for name, line in read_functions(path):
            if not begins_with_verb(name):
                print(f"{path}:{line}: {name}")
    print(f"{measure_share(paths):.0%} of the names begin with a verb")


if __name__ == "__main__":
    main()
