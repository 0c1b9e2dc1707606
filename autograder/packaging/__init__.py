"""Packaging: turns the project into what is handed to Gradescope, to Docker and to students."""
