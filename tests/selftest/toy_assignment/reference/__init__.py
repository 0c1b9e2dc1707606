"""Reference: computes the right values that students' values are compared with, one module for each question."""
