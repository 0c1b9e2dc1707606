decay = 0.5
raise RuntimeError('not done yet')
