#!/bin/sh
# Embeds in parts with GNU parallel, on this machine or on several over ssh, and merges them.
#
#   parts.sh PARTS DIR FILE… [OPTION…]
#
# JOBS parts run at once on each machine (1, with a thread a core). Pass options to parallel in
# PARALLEL: PARALLEL="--sshloginfile machines.txt". ELMO names the tool where it is not in PATH.
set -eu
if [ $# -lt 3 ]; then
  echo "usage: parts.sh PARTS DIR FILE… [OPTION…]" >&2
  exit 2
fi
parts=$1
output=$2
shift 2
elmo=${ELMO:-elmo}

# Prints words as a line of sh. On parallel's command line, {} and the like in them would be replaced.
quoted() {
  for word; do
    word=$(printf '%sx' "$word" | sed "s/'/'\\\\''/g")  # x: $() drops line feeds at the end
    printf "'%s' " "${word%x}"
  done
}
ELMO_COMMAND=$(quoted "$elmo" embed "$@" -o "$output" --parts "$parts")
export ELMO_COMMAND

# A part that failed or was stopped is begun three times; then the others still run, and the merge
# says which are missing.
failed=0
seq 0 $((parts - 1)) |
  parallel --jobs "${JOBS:-1}" --workdir . --retries 3 --env ELMO_COMMAND --quote \
    sh -c 'eval "exec $ELMO_COMMAND --part $1 --resume --quiet"' sh {} || failed=1
"$elmo" merge "$output"
exit "$failed"
