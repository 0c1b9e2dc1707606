#!/bin/sh
# setup.sh: prepares Gradescope's image; Gradescope runs it once, as root and with network, when it builds the image.
set -eu

# Python in Ubuntu's and Debian's images lacks the modules that make environments.
if ! python3 -I -c 'import ensurepip, venv' 2> /dev/null; then
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -q
    apt-get install -y -q python3-venv
fi

case $0 in */*) cd -- "${0%/*}" ;; esac
exec sh ./run_autograder --version # by sh, because a repacked zip may have lost its file modes
