"""Function names of the grader begin with a verb, nearly all of them.

Started as a program it lists the others: python -m tests.selftest.meta.test_function_names
Properties, predicates and special methods are not counted: their names are statements or Python's.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from tests.selftest.support.project_sources import assert_none, list_grader_sources, list_nodes, locate, read_nodes

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
MOST_OTHERS = 0.1  # of the names of functions
TOY = """
def read_names(): ...
def _write_names(): ...
async def send(): ...
def names(): ...
def _written_names(): ...
def is_empty(): ...
def _has_names(): ...

class Toy:
    def __enter__(self): ...
    def close(self): ...
    def size(self): ...
    @property
    def name(self): ...
    @functools.cached_property
    def names(self): ...
    @name.setter
    def name(self, value): ...
"""


def find_names(nodes: Iterable[ast.AST]) -> Iterator[tuple[int, str]]:
    """Yield the line and the name of each function that is counted."""
    for node in nodes:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            decorators = [ast.unparse(each) for each in node.decorator_list]
            is_property = any("property" in each or each.endswith(".setter") for each in decorators)
            if not is_property and not node.name.startswith("__") and take_first_word(node.name) not in PREDICATES:
                yield node.lineno, node.name


def find_others(nodes: Iterable[ast.AST]) -> Iterator[tuple[int, str]]:
    """Yield those of which the first word is no verb."""
    return ((line, name) for line, name in find_names(nodes) if take_first_word(name) not in VERBS)


def take_first_word(name: str) -> str:
    """Return the first word of a name."""
    return name.strip("_").split("_")[0].lower()


def list_others() -> list[str]:
    """List the functions of the grader whose name begins with another word."""
    return list(locate(list_grader_sources(), lambda path: find_others(read_nodes(path))))


def test_nearly_all_function_names_begin_with_a_verb() -> None:
    count = sum(len(list(find_names(read_nodes(path)))) for path in list_grader_sources())
    others = list_others()
    assert count > 1000
    assert_none(others if len(others) > MOST_OTHERS * count else [])


def test_properties_predicates_and_special_methods_are_not_counted() -> None:
    names = {name for _, name in find_names(list_nodes(TOY))}
    assert names == {"read_names", "_write_names", "send", "names", "_written_names", "close", "size"}
    assert {name for _, name in find_others(list_nodes(TOY))} == {"names", "_written_names", "size"}


if __name__ == "__main__":
    print(*list_others(), sep="\n")
