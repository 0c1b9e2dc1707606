"""Class draft: turns the signatures of a class and of its methods into the contract of its objects.

No state is looked at, since students may keep what they like: a method that returns something is judged by that, after
the methods before it in the list that return nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import NamedTuple

from autograder.contracts import Action, ContractError, ObjectContract, SignatureError, judge_functions, parse_signature
from autograder.contracts.object_contract import MethodContract

_SEED = "a draft"


class DraftedClass(NamedTuple):
    """A class; `start`: the arguments of its constructor; `actions`: by method, as `ObjectContract` takes them."""

    name: str
    start: str
    actions: Mapping[str, Action]
    contract: ObjectContract

    def list_methods(self) -> Iterator[tuple[str, str, MethodContract]]:
        """Yield the name, signature and contract of each method that returns something."""
        for method, action in self.actions.items():
            if "->" in action.signature:
                yield f"{self.name}.{method}", action.signature, self.contract.get_action(method)


def draft_class(module: ModuleType, name: str, texts: Mapping[str, str]) -> DraftedClass:
    """Draft the contract of a class. `texts`: the signatures of all functions and methods, by name.

    Raises SignatureError for a wrong one, ContractError where the right class does not keep what they say.
    """
    reference = getattr(module, name, None)
    if not isinstance(reference, type):
        raise SignatureError(f"the solution defines no class {name}")
    actions: dict[str, Action] = {}
    silent: list[str] = []
    for method, text in _list_own(name, texts):
        if not callable(getattr(reference, method, None)):
            raise SignatureError(f"the solution defines no method {name}.{method}")
        parse_signature(text if "->" in text else f"{text} -> nothing", name=method)
        returns = "->" in text
        actions[method] = Action(open_signature(text), after=tuple(silent) if returns else ())
        silent += [] if returns else [method]
    start = open_signature(texts.get(name, f"{name}()"))
    drafted = DraftedClass(name, start, actions, ObjectContract(reference, start=start, state=(), actions=actions))
    methods = list(drafted.list_methods())
    if not methods:
        raise ContractError(f"{name}: no method returns anything; write `-> value` behind one that does")
    for method, _, contract in methods:
        _require_constant(module, method, contract)
    return drafted


def open_signature(text: str) -> str:
    """Return `x: (N, D) -> out` of a signature `f(x: (N, D)) -> out`."""
    start, depth = text.index("("), 0
    for place in range(start, len(text)):
        depth += (text[place] in "([{") - (text[place] in ")]}")
        if depth == 0:
            return (text[start + 1 : place] + text[place + 1 :]).strip()
    return text


def _list_own(name: str, texts: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the methods of a class, each with its signature, which begins with the method's name."""
    for key, text in texts.items():
        owner, _, method = key.partition(".")
        if owner == name and method:
            yield method, text.removeprefix(f"{name}.")


def _require_constant(module: ModuleType, method: str, contract: MethodContract) -> None:
    try:
        _, failure = judge_functions(contract.everywhere().derive(_SEED), vars(module).__getitem__)
    except ContractError:
        raise
    except Exception as error:  # the right class may raise anything
        raise ContractError(f"{method}: the right class fails: {type(error).__name__}: {error}") from error
    if failure is not None:
        what = "two objects of the right class, used in the same way, differ"
        raise ContractError(f"{method}: {what}: {failure.what}")
