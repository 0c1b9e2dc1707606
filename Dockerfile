# Dockerfile: the grader in an image, in the places where Gradescope has it. `run_autograder package image` builds it and
# sends what grades, nothing else; .dockerignore does the same for `docker build`.
ARG BASE=gradescope/autograder-base:ubuntu-22.04
FROM ${BASE}

# For a mirror of the package index, if one is needed: --build-arg PIP_INDEX_URL=...
ARG PIP_INDEX_URL
ARG PIP_EXTRA_INDEX_URL

# The environment depends on the lock alone: while that stays, this layer does. To make it, an empty grader is enough.
WORKDIR /autograder/source
COPY setup.sh run_autograder requirements.lock ./
RUN mkdir -p autograder && : > autograder/__main__.py && sh ./setup.sh

COPY . .
RUN cp run_autograder /autograder/run_autograder && chmod 0755 /autograder/run_autograder && chmod 0700 .
WORKDIR /autograder
