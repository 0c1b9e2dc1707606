"""What a teacher edits in the contracts that the command wrote: several right answers, sparse graphs and ties.

By a text, what stands in its place.
"""

FUNCTIONS = '''

def take_any_longest(words: Any, case: Any) -> Any:
    """Take any words of the right number that stand in both texts in this order."""
    left = [list(case.arguments["source"]), list(case.arguments["target"])]
    for word in words:
        for each in left:
            del each[: each.index(word) + 1]
    return words if len(words) == len(case.right) else case.right


def take_either_sign(axis: Any, case: Any) -> Any:
    """Take the direction or its opposite."""
    return case.right if axis @ case.right > 0 else -case.right


def draw_few_edges(known: Any, rng: Any, style: str) -> Any:
    """Draw a graph of several components."""
    N = known["N"]
    return (rng.random((N, N)) < 0.7 / N).astype(int)


def draw_ties(known: Any, rng: Any, style: str) -> Any:
    """Draw scores of which some are equal."""
    return rng.integers(0, 4, size=known["N"]) / 2
'''

GRAPH = ', draw={"adjacency": draw_few_edges}'

EDITS = {
    "from reference import algorithms as reference\n": f"from reference import algorithms as reference\n{FUNCTIONS}",
    'target: str (M,) -> words"': 'target: str (M,) -> words", right={"words": take_any_longest}',
    'start: int < N -> distances: (N,)"': f'start: int < N -> distances: (N,)"{GRAPH}',
    '-> labels: (N,) where N <= 40"': f'-> labels: (N,) where N <= 40"{GRAPH}',
    'labels: (N,) < 2 -> share: float"': 'labels: (N,) < 2 -> share: float", draw={"scores": draw_ties}',
    'axis: (D,) where N >= 2"': 'axis: (D,) where N >= 2", right={"axis": take_either_sign}',
}
