"""Everything that touches untrusted code: nothing outside this folder runs it or talks to the process that does."""
