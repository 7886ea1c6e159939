#!/bin/sh
# JSON lines in, JSON lines out, in the order of the input, by several processes of one thread.
#
#   pipe.sh [OPTION…] < texts.jsonl > vectors.jsonl
#
# Each record needs an "id", for by that the output names it; OPTIONs are those of `elmo embed`.
# JOBS processes run at once (one a core), each for BLOCK bytes of the input (16M). ELMO names the
# tool where it is not in PATH.
set -eu
exec parallel --pipe --keep-order --block "${BLOCK:-16M}" --jobs "${JOBS:-100%}" --halt now,fail=1 \
  --quote "${ELMO:-elmo}" embed --input-format jsonl --format jsonl --quiet --threads 1 "$@"
