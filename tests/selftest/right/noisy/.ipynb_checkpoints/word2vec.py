raise RuntimeError('an old version')
