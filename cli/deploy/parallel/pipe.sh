#!/bin/sh
# JSON Lines in, JSON Lines out, in the order of the input, by several processes of one thread.
#
#   pipe.sh [OPTION…] < texts.jsonl > vectors.jsonl
#
# Each record needs an "id", which identifies it in the output; OPTIONs are those of `elmo embed`.
# JOBS processes run at once (one a core), each for BLOCK bytes of the input (16M). ELMO names the
# tool where it is not in PATH.
set -eu
# Prints words as a line of sh. On parallel's command line, {} and the like in them would be replaced.
quoted() {
  for word; do
    word=$(printf '%sx' "$word" | sed "s/'/'\\\\''/g")  # x: $() drops line feeds at the end
    printf "'%s' " "${word%x}"
  done
}
ELMO_COMMAND=$(quoted "${ELMO:-elmo}" embed --input-format jsonl --format jsonl --quiet --threads 1 "$@")
export ELMO_COMMAND

# The first failure ends all with its code. What a process has to say goes past parallel, which
# drops it where it ends the others at once.
exec 3>&2
exec parallel --pipe --keep-order --block "${BLOCK:-16M}" --jobs "${JOBS:-100%}" --halt now,fail=1 \
  --env ELMO_COMMAND --quote sh -c '{ true >&3; } 2> /dev/null && exec 2>&3; eval "exec $ELMO_COMMAND"'
