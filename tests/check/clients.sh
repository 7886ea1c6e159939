#!/usr/bin/env bash
# clients.sh ELMO FOLDER [newest]: installs clients from the registry of Python packages in FOLDER, a
# virtual environment, in the versions of tests/clients/requirements.txt or the newest ones. They
# read shards that ELMO writes, and Spark runs it. Ends with 77 where that cannot be had.
set -euo pipefail
elmo=$(realpath "$1")
folder=$2
versions=${3:-pinned}
python=$folder/bin/python
pinned=tests/clients/requirements.txt

skip() {
  echo "$1"
  exit 77
}

missing=()
command -v java > /dev/null || missing+=(default-jre-headless)
/usr/bin/python3 -c 'import ensurepip' 2> /dev/null || missing+=(python3-venv)
if ((${#missing[@]})); then
  ((EUID == 0)) || skip "needs ${missing[*]}"
  apt-get install -qq -y --no-install-recommends "${missing[@]}" || skip "needs ${missing[*]}"
fi

# What is installed says so in a file, so that it is installed once. The newest may be newer today.
if [[ $versions == newest ]] || ! cmp -s "$pinned" "$folder/installed.txt"; then
  /usr/bin/python3 -m venv "$folder"
  rm -f "$folder/installed.txt"
  "$python" -m pip install --quiet --upgrade pip setuptools wheel || skip "no registry of Python packages"
  if [[ $versions == newest ]]; then
    sed 's/==.*//' "$pinned" | "$python" -m pip install --quiet --upgrade --requirement /dev/stdin
  else
    "$python" -m pip install --quiet --requirement "$pinned"
    cp "$pinned" "$folder/installed.txt"
  fi
fi
"$python" -m pip list --format freeze | grep -ixE "$(sed 's/==.*/==.*/' "$pinned" | paste -sd '|')"

# Nothing is downloaded beyond packages, and every process computes on one thread.
export ELMO=$elmo PYTHONPATH=tests/cli:tests/deploy HF_HUB_OFFLINE=1 HF_HOME=$PWD/$folder/huggingface
export OMP_NUM_THREADS=1 HF_DATASETS_DISABLE_PROGRESS_BARS=1
for test in tests/clients/readers.py tests/clients/spark.py tests/cli/examples_test.py; do
  echo "$test"
  "$python" -B tests/run.py "$test"
done
if [[ -f tests/clients/tensorflow_checkpoint.py ]]; then
  "$python" -B tests/clients/tensorflow_checkpoint.py --elmo "$elmo"
fi
