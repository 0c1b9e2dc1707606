"""Gradient checks."""

from _grader_gradcheck import grad_tests_negsamp, grad_tests_softmax, gradcheck_naive
