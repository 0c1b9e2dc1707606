"""Monotone: shows that within a function more right cases never give fewer points, and what known mistakes cost."""
