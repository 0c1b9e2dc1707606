class Machine:
    def __init__(self, words):
        self.stack, self.queue, self.joined = [], list(words), []

    def step(self, operation):
        if operation == "push":
            self.stack.append(self.queue.pop(0))
        else:
            lower = self.stack.pop(-2)
            self.joined.append((self.stack[-1], lower))

    def run(self, operations):
        for each in operations:
            self.step(each)
        return self.joined


def run_all(texts, choose):
    machines = [Machine(text) for text in texts]
    done = []
    while machines:
        for m, operation in zip(machines, choose(machines)):
            m.step(operation)
        for m in machines:
            if not m.queue and len(m.stack) == 1:
                machines.remove(m)
                done.append(m.joined)
    return done
