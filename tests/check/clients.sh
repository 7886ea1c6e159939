#!/usr/bin/env bash
# clients.sh ELMO FOLDER [newest]: installs other people's programs in FOLDER, in the versions of
# tests/clients/*.txt or the newest ones. They read shards and Arrow tables that ELMO writes and work
# with the Python package of the newest wheel beside ELMO, Spark runs ELMO, and it reads what TensorFlow
# writes. Prints each step. Exits with 77 if that is impossible here.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
elmo=$(realpath "$1")
wheel=$(ls -t "$(dirname "$elmo")"/elmo_bilm-*.whl | head -n 1)
folder=$(mkdir -p "$2" && cd "$2" && pwd)
versions=${3:-pinned}
step() { echo "== $* ($SECONDS s)"; }

missing=()
command -v java > /dev/null || missing+=(default-jre-headless)
/usr/bin/python3 -c 'import ensurepip' 2> /dev/null || missing+=(python3-venv)
if ((${#missing[@]})); then
  step "installing ${missing[*]}"
  ((EUID == 0)) || skip "needs ${missing[*]}"
  apt-get install -qq -y --no-install-recommends "${missing[@]}" || skip "needs ${missing[*]}"
fi

# install FOLDER FILE: the packages of FILE in a virtual environment. A copy of FILE there says that
# these versions are installed; the newest may be newer today.
install() {
  local pip=("$1/bin/python" -m pip)
  if [[ $versions == newest ]] || ! cmp -s "$2" "$1/installed.txt"; then
    step "installing $versions packages of $2; this takes minutes"
    /usr/bin/python3 -m venv "$1"
    rm -f "$1/installed.txt"
    "${pip[@]}" install --quiet --upgrade pip setuptools wheel || skip "no registry of Python packages"
    local progress='/^Collecting\|^Installing/p'
    if [[ $versions == newest ]]; then
      sed 's/==.*//' "$2" | "${pip[@]}" install --upgrade --requirement /dev/stdin | sed -un "$progress"
    else
      "${pip[@]}" install --requirement "$2" | sed -un "$progress"
      cp "$2" "$1/installed.txt"
    fi
  fi
  "${pip[@]}" list --format freeze | grep -ixE "$(sed 's/==.*/==.*/; s/[-_]/[-_]/g' "$2" | paste -sd '|')"
}
install "$folder" tests/clients/requirements.txt

# Nothing but packages is downloaded, and every process computes on one thread.
export ELMO=$elmo OMP_NUM_THREADS=1
export HF_HUB_OFFLINE=1 HF_HOME=$folder/huggingface HF_DATASETS_DISABLE_PROGRESS_BARS=1
tests=tests/cli:tests/deploy:tests/clients
if command -v npm > /dev/null; then
  step "installing apache-arrow for Node.js"
  version=$([[ $versions == newest ]] && echo latest || sed -n 's/^apache-arrow@//p' tests/clients/npm.txt)
  npm install --silent --no-audit --no-fund --prefix "$folder/node" "apache-arrow@$version"
  export ELMO_NODE_MODULES=$folder/node/node_modules
fi

# A new environment with the wheel and, by a path file, the packages of the first one.
package="$folder/with a blank"
step "installing $(basename "$wheel")"
rm -rf "$package"
/usr/bin/python3 -m venv "$package"
"$package/bin/python" -m pip install --quiet --no-deps --no-index "$wheel"
"$folder/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))' \
  > "$("$package/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/clients.pth"
step tests/clients/python_package.py
ELMO="$package/bin/elmo" PYTHONPATH=$tests "$package/bin/python" -B tests/run.py \
  tests/clients/python_package.py

for test in tests/clients/readers.py tests/clients/arrow_readers.py tests/clients/spark.py \
  tests/cli/examples_test.py; do
  step "$test"
  PYTHONPATH=$tests:cli/python "$folder/bin/python" -B tests/run.py "$test"
done

# The oldest and the newest Python at hand that the package works with.
pythons() {
  local minor python
  for minor in {9..20}; do
    for python in "/usr/bin/python3.$minor" "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3."$minor".*/bin/python3; do
      "$python" -c 'import ensurepip' 2> /dev/null && echo "$python"
    done
  done
}
for python in $(pythons | sed -n '1p;$p' | uniq); do
  environment=$folder/$("$python" -c 'import sys; print("python%d.%d" % sys.version_info[:2])')
  step "$python with NumPy and h5py"
  [[ -x $environment/bin/python ]] || "$python" -m venv "$environment"
  "$environment/bin/python" -m pip install --quiet numpy h5py
  for test in tests/cli/python_model_test.py tests/cli/python_runs_test.py; do
    step "$test"
    PYTHONPATH=$tests "$environment/bin/python" -B tests/run.py "$test"
  done
done

# An environment of its own: TensorFlow asks for older versions of what the others use.
install "$folder/tensorflow" tests/clients/tensorflow.txt
step tests/clients/tensorflow_checkpoint.py
PYTHONPATH=$tests "$folder/tensorflow/bin/python" -B tests/clients/tensorflow_checkpoint.py --elmo "$elmo"
step "done"
