"""Known wrong answers of machine. A method's mistake has the name of its class before the dot."""

from reference.machine import Machine, run_all

from tests.mistakes import mistake


@mistake("Machine", story="Starts with the first word on the stack.", hint="Where are all words at the start?")
def machine_starts_with_a_word(self, words):
    self.words, self.stack, self.queue, self.joined = words, [words[0]], list(words[1:]), []


@mistake("Machine.step", story="Drops the lower word of a pair.", hint="Which word stays on the stack?")
def step_drops_the_lower(self, operation):
    if operation == "push":
        self.stack.append(self.queue.pop(0))
    else:
        lower = self.stack.pop(-2)
        self.joined.append((self.stack[-1], lower))


@mistake("Machine.run", story="Leaves out the last operation.", hint="How many operations does your loop take?")
def run_stops_early(self, operations):
    for operation in operations[:-1]:
        self.step(operation)
    return self.joined


@mistake(
    "run_all", story="Returns the pairs in the order in which the machines end.", hint="In which order are the results?"
)
def run_all_in_order_of_ending(texts, choose):
    done, active = [], [Machine(text) for text in texts]
    while active:
        for machine, operation in zip(active, choose(active)):
            machine.step(operation)
        done += [each for each in active if not each.queue and len(each.stack) == 1]
        active = [each for each in active if each not in done]
    return [each.joined for each in done]


@mistake("run_all", story="Runs the first text alone.", hint="How many results are there?")
def run_all_the_first(texts, choose):
    return run_all(texts[:1], choose)
