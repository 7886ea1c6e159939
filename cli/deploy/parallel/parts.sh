#!/bin/sh
# Embeds in parts with GNU parallel, on this machine or on several over ssh, and merges them.
#
#   parts.sh PARTS DIR FILE… [OPTION…]
#
# JOBS parts run at once on each machine (1, with a thread a core). What else parallel is to know
# stands in its own variable: PARALLEL="--sshloginfile machines.txt". ELMO names the tool where it
# is not in PATH.
set -eu
if [ $# -lt 3 ]; then
  echo "usage: parts.sh PARTS DIR FILE… [OPTION…]" >&2
  exit 2
fi
parts=$1
output=$2
shift 2
elmo=${ELMO:-elmo}

# --quote keeps the words of the command as they are, on other machines too. A part that failed or
# was stopped is begun three times; then the others still run, and the merge says which are missing.
seq 0 $((parts - 1)) |
  parallel --jobs "${JOBS:-1}" --workdir . --retries 3 --quote \
    "$elmo" embed "$@" -o "$output" --parts "$parts" --part {} --resume --quiet || true
exec "$elmo" merge "$output"
