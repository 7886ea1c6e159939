#!/usr/bin/env bash
# browser.sh BUILD: tries the page of `elmo neighbors --map` in Chromium, with the tool in the folder
# BUILD. Ends with 77 where that cannot be had.
set -euo pipefail

for program in "${ELMO_CHROMIUM:-}" chromium-headless-shell chromium chromium-browser google-chrome; do
  [[ -n $program ]] && ELMO_CHROMIUM=$(command -v "$program") && break
done
if [[ -z ${ELMO_CHROMIUM:-} ]]; then
  ((EUID == 0)) || { echo "needs chromium"; exit 77; }
  apt-get install -qq -y --no-install-recommends chromium-headless-shell fonts-dejavu-core \
    || { echo "needs chromium"; exit 77; }
  ELMO_CHROMIUM=$(command -v chromium-headless-shell)
fi
export ELMO_CHROMIUM
make build BUILD="$1"
export ELMO=$1/elmo PYTHONPATH=tests/cli
python3 -B tests/run.py tests/check/browser_test.py
