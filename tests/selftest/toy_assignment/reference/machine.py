"""Right solution of machine: words move from a queue to a stack, where pairs of them are joined."""

from collections.abc import Callable, Sequence


class Machine:
    """A run of the machine on some words; `stack` and `queue` are lists, `joined` the pairs so far."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = words
        self.stack: list[str] = []
        self.queue = list(words)
        self.joined: list[tuple[str, str]] = []

    def step(self, operation: str) -> None:
        """Push the first word of the queue, or join the two topmost words: the upper one is dropped."""
        if operation == "push":
            self.stack.append(self.queue.pop(0))
        else:
            upper = self.stack.pop()
            self.joined.append((self.stack[-1], upper))

    def run(self, operations: Sequence[str]) -> list[tuple[str, str]]:
        """Take all steps; return the pairs."""
        for operation in operations:
            self.step(operation)
        return self.joined


def run_all(texts: Sequence[Sequence[str]], choose: Callable[[Sequence[Machine]], Sequence[str]]) -> list[object]:
    """Run a machine for each text until its queue is empty and one word is left; return the pairs of each.

    `choose` takes the machines that are not done and returns an operation for each.
    """
    machines = [Machine(text) for text in texts]
    while active := [each for each in machines if each.queue or len(each.stack) > 1]:
        for machine, operation in zip(active, choose(active), strict=True):
            machine.step(operation)
    return [each.joined for each in machines]
