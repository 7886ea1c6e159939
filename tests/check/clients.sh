#!/usr/bin/env bash
# clients.sh ELMO FOLDER [newest]: installs Python packages in FOLDER, a virtual environment, in the
# versions of tests/clients/*.txt or the newest ones. They read shards that ELMO writes, Spark runs
# it, and it reads what TensorFlow writes. Exits with 77 if that is impossible here.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
elmo=$(realpath "$1")
folder=$(mkdir -p "$2" && cd "$2" && pwd)
versions=${3:-pinned}

missing=()
command -v java > /dev/null || missing+=(default-jre-headless)
/usr/bin/python3 -c 'import ensurepip' 2> /dev/null || missing+=(python3-venv)
if ((${#missing[@]})); then
  ((EUID == 0)) || skip "needs ${missing[*]}"
  apt-get install -qq -y --no-install-recommends "${missing[@]}" || skip "needs ${missing[*]}"
fi

# install FOLDER FILE: the packages of FILE in a virtual environment. A copy of FILE there says that
# these versions are installed; the newest may be newer today.
install() {
  local pip=("$1/bin/python" -m pip)
  if [[ $versions == newest ]] || ! cmp -s "$2" "$1/installed.txt"; then
    /usr/bin/python3 -m venv "$1"
    rm -f "$1/installed.txt"
    "${pip[@]}" install --quiet --upgrade pip setuptools wheel || skip "no registry of Python packages"
    if [[ $versions == newest ]]; then
      sed 's/==.*//' "$2" | "${pip[@]}" install --quiet --upgrade --requirement /dev/stdin
    else
      "${pip[@]}" install --quiet --requirement "$2"
      cp "$2" "$1/installed.txt"
    fi
  fi
  "${pip[@]}" list --format freeze | grep -ixE "$(sed 's/==.*/==.*/; s/[-_]/[-_]/g' "$2" | paste -sd '|')"
}
install "$folder" tests/clients/requirements.txt

# Nothing but packages is downloaded, and every process computes on one thread.
export ELMO=$elmo PYTHONPATH=tests/cli:tests/deploy OMP_NUM_THREADS=1
export HF_HUB_OFFLINE=1 HF_HOME=$folder/huggingface HF_DATASETS_DISABLE_PROGRESS_BARS=1
for test in tests/clients/readers.py tests/clients/spark.py tests/cli/examples_test.py; do
  echo "$test"
  "$folder/bin/python" -B tests/run.py "$test"
done
# An environment of its own: TensorFlow asks for older versions of what the others use.
install "$folder/tensorflow" tests/clients/tensorflow.txt
"$folder/tensorflow/bin/python" -B tests/clients/tensorflow_checkpoint.py --elmo "$elmo"
