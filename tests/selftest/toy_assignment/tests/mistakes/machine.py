"""Known wrong answers of machine. A method's mistake has the name of its class before the dot."""

from reference.machine import Machine, run_all

from tests.mistakes import mistake


@mistake(
    "Machine",
    severity="slip",
    story="Starts with the first word on the stack.",
    hint="Where are all words at the start?",
    breaks=["Machine"],
)
def machine_starts_with_a_word(self, words):
    self.words, self.stack, self.queue, self.joined = words, [words[0]], list(words[1:]), []


@mistake(
    "Machine.step",
    severity="misconception",
    story="Drops the lower word of a pair.",
    hint="Which word stays on the stack?",
    breaks=["Machine.step"],
)
def step_drops_the_lower(self, operation):
    if operation == "push":
        self.stack.append(self.queue.pop(0))
    else:
        lower = self.stack.pop(-2)
        self.joined.append((self.stack[-1], lower))


@mistake(
    "Machine.run",
    severity="slip",
    story="Leaves out the last operation.",
    hint="How many operations does your loop take?",
    breaks=["Machine.run"],
)
def run_stops_early(self, operations):
    for operation in operations[:-1]:
        self.step(operation)
    return self.joined


@mistake(
    "run_all",
    severity="misconception",
    story="Returns the pairs in the order in which the machines end.",
    hint="In which order are the results?",
    breaks=["run_all"],
)
def run_all_in_order_of_ending(texts, choose):
    done, active = [], [Machine(text) for text in texts]
    while active:
        for machine, operation in zip(active, choose(active)):
            machine.step(operation)
        done += [each for each in active if not each.queue and len(each.stack) == 1]
        active = [each for each in active if each not in done]
    return [each.joined for each in done]


@mistake(
    "run_all",
    severity="fundamental",
    story="Runs the first text alone.",
    hint="How many results are there?",
    breaks=["run_all"],
)
def run_all_the_first(texts, choose):
    return run_all(texts[:1], choose)
