#!/bin/sh
# setup.sh: Gradescope runs this once, as root, when it builds the image; the network is there then.
set -eu

# The Python of Ubuntu's and Debian's images comes without the module that makes environments.
if ! python3 -I -c 'import ensurepip, venv' 2> /dev/null; then
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -q
    apt-get install -y -q python3-venv
fi

case $0 in */*) cd -- "${0%/*}" ;; esac
exec sh ./run_autograder --version # a zip that was packed again may have lost its modes
