#!/usr/bin/env bash
# Hands a run to Slurm: an array of parts, and behind it the merge.
#
#   submit.sh [SBATCH-OPTION…] PARTS DIR FILE… [OPTION…]
#
# SBATCH-OPTIONs, each one word as in --array=3,9, go before those of embed.sbatch. FILE and OPTION
# are those of `elmo embed`.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
options=()
while [[ ${1-} == -* ]]; do
  options+=("$1")
  shift
done
if (($# < 3)) || [[ ! $1 =~ ^[1-9][0-9]*$ ]]; then
  echo "usage: submit.sh [SBATCH-OPTION…] PARTS DIR FILE… [OPTION…]" >&2
  exit 2
fi

# Of bash before 4.4, an empty array is an unset variable. With --clusters, sbatch prints JOB;CLUSTER.
submitted=$(sbatch --parsable --array="0-$(($1 - 1))" ${options[@]+"${options[@]}"} \
  "$here/embed.sbatch" "$@")
job=${submitted%%;*}
cluster=()
if [[ $submitted == *";"* ]]; then cluster=("--clusters=${submitted#*;}"); fi
# afterany: with afterok, the merge would wait forever if a part failed.
merge=$(sbatch --parsable ${cluster[@]+"${cluster[@]}"} --dependency="afterany:$job" \
  "$here/merge.sbatch" "$2")
echo "parts: job $job, merge: job ${merge%%;*}"
