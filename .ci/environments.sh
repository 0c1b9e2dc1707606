# environments.sh: the programs and Python environments of .ci/run, which gives `scratch`, a folder that it removes.

find_python() { # prints the path of another Python, or nothing
    { find "${HOME-}/.pyenv/versions/" -maxdepth 3 -path "*/$1.*/bin/python" 2> /dev/null || true; } | sort -V | tail -n 1
}

selftest_on() { # the self-tests on another Python, in an environment of its own; further arguments go to pytest
    local python
    python=$(find_python "$1")
    if [ -z "$python" ]; then
        echo "skipped: there is no Python $1 in ~/.pyenv/versions"
        return
    fi
    AUTOGRADER_PYTHON=$python AUTOGRADER_VENV=$scratch/python$1 ./run_autograder selftest "${@:2}"
}

make_student_python() { # prints the Python of an environment that has this version of numpy and nothing else
    local python
    python=$(find_python "$1")
    [ -n "$python" ] || return 0
    "$python" -m venv "$scratch/student$1"
    "$scratch/student$1/bin/pip" -q install --only-binary :all: "$2" >&2
    printf '%s' "$scratch/student$1/bin/python"
}

check_types() { # of an example assignment, by a Python; its packages have the names of others
    local settings=(--config-file "$PWD/pyproject.toml" --cache-dir "$PWD/.mypy_cache/$2")
    env -C "examples/assignments/$2" "$1" -m mypy "${settings[@]}" reference
}

install_programs() { # for the tests of pages and of containers, which are skipped without them
    local package missing=()
    for package in chromium docker.io debootstrap; do
        dpkg -s "$package" > /dev/null 2>&1 || missing+=("$package")
    done
    [ "${#missing[@]}" -gt 0 ] || return 0
    if [ "$(id -u)" -ne 0 ] || ! command -v apt-get > /dev/null; then
        echo "not installed: ${missing[*]}; that needs root and apt"
        return
    fi
    export DEBIAN_FRONTEND=noninteractive
    { apt-get -q update && apt-get -q install -y --no-install-recommends "${missing[@]}"; } > "$scratch/programs.log" 2>&1 ||
        echo 'not installed: apt could not'
}

torch=$scratch/torch/bin/python

install_torch() { # makes an environment with PyTorch, the tools of the self-tests and the grader's wheel
    local lock=examples/assignments/parser_pytorch/reference/libraries.lock
    renice -n 10 "$BASHPID" > /dev/null # it takes long, beside the tests
    python3 -m venv "$scratch/torch"
    if ! "$torch" -m pip install --quiet --require-hashes --only-binary :all: -r "$lock"; then
        touch "$scratch/no-torch"
        return
    fi
    "$torch" -m pip install --quiet --require-hashes -r requirements-dev.lock
    mkdir "$scratch/tree"
    git archive HEAD | tar -x -C "$scratch/tree" # a wheel leaves files where it is built
    "$torch" -m pip install --quiet --no-deps --no-build-isolation "$scratch/tree"
}

test_with_torch() { # in an environment of its own, because no other assignment needs the library
    if [ -e "$scratch/no-torch" ]; then
        echo 'skipped: the packages of PyTorch are not available here'
        return
    fi
    check_types "$torch" parser_pytorch
    INSTALLED_AUTOGRADER=$scratch/torch/bin/autograder "$torch" -m pytest --ci -q -n 0 \
        tests/selftest/sandbox/test_torch.py tests/selftest/assignments/test_parser_pytorch.py
}
