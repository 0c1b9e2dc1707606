# Dockerfile: builds an image of the grader, at the same paths as on Gradescope. `run_autograder package image` builds it
# and sends only the files that grade; with `docker build`, each COPY names them.
ARG BASE=gradescope/autograder-base:ubuntu-22.04
FROM ${BASE}

# For a mirror of the package index: --build-arg PIP_INDEX_URL=...
ARG PIP_INDEX_URL
ARG PIP_EXTRA_INDEX_URL

# The environment depends only on the lock, so this layer is cached until the lock changes. An empty grader is enough.
WORKDIR /autograder/source
COPY autograder/packaging/setup.sh run_autograder requirements.lock ./
RUN mkdir -p autograder && : > autograder/__main__.py && sh ./setup.sh

COPY LICENSE ./
COPY autograder autograder
COPY reference reference
COPY student_template student_template
COPY tests/__init__.py tests/
COPY tests/hidden tests/hidden
COPY tests/mistakes tests/mistakes
RUN find autograder reference tests -name __pycache__ -prune -exec rm -r {} + && \
    cp run_autograder /autograder/run_autograder && chmod 0755 /autograder/run_autograder && chmod 0700 .
WORKDIR /autograder
