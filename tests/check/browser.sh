#!/usr/bin/env bash
# browser.sh BUILD: tries the page of `elmo neighbors --map` in Chromium, with the tool in the folder
# BUILD. Exits with 77 if that is impossible here.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

if ! python3 tests/check/browser.py; then
  ((EUID == 0)) || skip "needs chromium"
  apt-get install -qq -y --no-install-recommends chromium-headless-shell fonts-dejavu-core \
    || skip "needs chromium"
fi
make build BUILD="$1"
export ELMO=$1/elmo PYTHONPATH=tests/cli
python3 -B tests/run.py tests/check/browser_test.py
