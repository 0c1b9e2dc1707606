"""Right solutions, one module for each question."""
