class Machine(object):
    def __init__(self, words):
        self.words = words
        self.stack, self.queue, self.joined = [], list(words), []

    def step(self, operation):
        if operation == "push":
            self.stack.append(self.queue.pop(0))
        else:
            word = self.stack.pop()
            self.joined.append((self.stack[-1], word))

    def run(self, operations):
        for each in operations:
            self.step(each)
        return self.joined


def run_all(texts, choose):
    machines = [Machine(text) for text in texts]
    left = list(machines)
    while True:
        left = [m for m in left if m.queue or len(m.stack) > 1]
        if not left:
            return [m.joined for m in machines]
        for m, operation in zip(left, choose(left)):
            m.step(operation)
