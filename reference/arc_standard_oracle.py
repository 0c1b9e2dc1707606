"""Arc-standard oracle: turns a gold tree into the transitions that rebuild it.

A tree is the list of its heads: heads[i] is the position of the head of word i + 1, counted from 1; 0 is ROOT.
"""

from collections.abc import Sequence


class NotProjectiveError(ValueError):
    """No sequence of arc-standard transitions builds this tree: two of its arcs cross."""


def gold_transitions(heads: Sequence[int]) -> list[str]:
    """Return the 2n transitions ("S", "LA", "RA") that build the tree, each arc as early as it is safe.

    Shapes: heads has n entries in 0..n; returns 2n transitions.
    Formula: with stack [..., s2, s1]
        LA  if s1 is the head of s2 and s2 has all its dependents
        RA  if s2 is the head of s1 and s1 has all its dependents
        S   otherwise, while the buffer has words
    Derivation:
        sound: only arcs of the tree are added and every word gets its head before it leaves the stack, so a run that
            ends with ROOT alone has built the tree.
        complete: in a projective tree every subtree is an unbroken span. By induction over the span's length, the run
            over that span leaves its root alone on the stack, with all its dependents: left ones are below it and
            collected one by one when it arrives, right ones above it as soon as their own span is done.
        so if a run is stuck (no arc is possible and the buffer is empty), the tree is not projective.
    Numerics: words are identified by position, so repeated words do no harm.
    Raises: ValueError when heads is not a tree, NotProjectiveError when it is one with crossing arcs.
    Source: Nivre 2004, Incrementality in Deterministic Dependency Parsing, section 3; Nivre 2008, section 4.1.
    """
    _require_tree(heads)
    head_of = dict(enumerate(heads, start=1))
    dependents_left = [list(heads).count(position) for position in range(len(heads) + 1)]
    stack, buffer, transitions = [0], list(head_of), list[str]()
    while buffer or len(stack) > 1:
        below, top = stack[-2] if len(stack) > 1 else None, stack[-1]
        if below and head_of[below] == top and not dependents_left[below]:
            transitions.append("LA")
            dependents_left[head_of[stack.pop(-2)]] -= 1
        elif top and head_of[top] == below and not dependents_left[top]:
            transitions.append("RA")
            dependents_left[head_of[stack.pop()]] -= 1
        elif buffer:
            transitions.append("S")
            stack.append(buffer.pop(0))
        else:
            raise NotProjectiveError(f"arcs cross: words {stack[1:]} are left on the stack without their heads")
    return transitions


def is_projective(heads: Sequence[int]) -> bool:
    """Say whether some sequence of arc-standard transitions builds the tree."""
    try:
        gold_transitions(heads)
    except NotProjectiveError:
        return False
    return True


def _require_tree(heads: Sequence[int]) -> None:
    """Raise ValueError unless every word reaches ROOT by going from head to head."""
    for word, head in enumerate(heads, start=1):
        if not 0 <= head <= len(heads):
            raise ValueError(f"word {word} has head {head}, outside 0..{len(heads)}")
    for word in range(1, len(heads) + 1):
        ancestor = word
        for _ in heads:
            ancestor = heads[ancestor - 1] if ancestor else 0
        if ancestor:
            raise ValueError(f"word {word} does not reach ROOT: its heads form a cycle")
