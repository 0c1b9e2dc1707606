"""The checks that give points (hidden), and the answers that must lose some (mistakes)."""
