"""Setup: puts the files that start a grader beside the code that packs them, in the wheel; pyproject.toml has the rest.

They belong at the top of a clone, where Gradescope and Docker look for them, and a wheel holds packages only.
"""

from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

START_FILES = ("Dockerfile", "LICENSE", "requirements.lock", "run_autograder")


class BuildWithStartFiles(build_py):
    """Builds the packages, and adds the files."""

    def run(self) -> None:
        """Copy the packages, then the files."""
        super().run()
        folder = Path(self.build_lib, "autograder", "packaging", "start_files")
        folder.mkdir(parents=True, exist_ok=True)
        for name in START_FILES:
            self.copy_file(name, str(folder / name))


setup(cmdclass={"build_py": BuildWithStartFiles})
