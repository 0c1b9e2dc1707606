smallest = 1e-30
raise RuntimeError('not done yet')
