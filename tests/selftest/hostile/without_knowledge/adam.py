def momentum_step(theta, grad, m, learning_rate, beta1=0.9):
    return theta.copy(), m.copy()
def adam_step(theta, grad, m, v, learning_rate, beta1=0.9, beta2=0.999):
    return *momentum_step(theta, grad, m, learning_rate, beta1), v.copy()
def adam_step_corrected(theta, grad, m, v, t, learning_rate, beta1=0.9, beta2=0.999, eps=1e-8):
    return adam_step(theta, grad, m, v, learning_rate, beta1, beta2)
