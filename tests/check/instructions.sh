#!/usr/bin/env bash
# instructions.sh ROOT ELMO FOLDER: counts the instructions of an arm64 program, emulated with the
# libraries in ROOT, and prints them: for a token in bulk, and for a short sentence with start-up.
# Fails if they exceed the limits below. Emulation says nothing about time.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
root=$1
elmo=$2
folder=$3
readonly PROCESSOR=max,sve=off SENTENCES=32 WORDS=20

mkdir -p "$folder"
gcc -O2 -fPIC -shared tests/check/instructions.c -o "$folder/instructions.so"

# sentences NUMBER: so many sentences of the same words, each in an order of its own.
sentences() {
  awk -v number="$1" -v words="$WORDS" 'BEGIN {
    for (s = 0; s < number; ++s) {
      for (w = 0; w < words; ++w) printf "word%d ", (w * 7 + int(s / 20) * (w % 3) + s) % words
      print ""
    }
  }'
}

# instructions ARGUMENT…: how many the tool executes, with the process that probes its model.
instructions() {
  rm -f "$folder/counts" "$folder/vectors.jsonl"
  qemu-aarch64 -cpu "$PROCESSOR" -L "$root" -plugin "$folder/instructions.so" -d plugin \
    -D "$folder/counts" "$elmo" embed --quiet --input-format tokens --threads 1 --format npy "$@" \
    > "$folder/vectors"
  awk '{ sum += $1 } END { printf "%d\n", sum }' "$folder/counts"
}

failed=0
# limit WHAT NUMBER LIMIT
limit() {
  printf '%-40s %12d (limit %d)\n' "$@"
  (($2 <= $3)) || failed=1
}

sentences $((2 * SENTENCES)) > "$folder/twice"
sentences "$SENTENCES" > "$folder/once"
[[ $(sort -u "$folder/twice" | wc -l) == $((2 * SENTENCES)) ]]
echo 'We sat down there .' > "$folder/short"
for setting in 'float32 3200000 400000000' 'int8 1600000 400000000'; do
  read -r precision bulk short <<< "$setting"
  twice=$(instructions "$folder/twice" --precision "$precision")
  once=$(instructions "$folder/once" --precision "$precision")
  limit "$precision, a token in bulk" $(((twice - once) / (SENTENCES * WORDS))) "$bulk"
  limit "$precision, 5 tokens with start-up" "$(instructions "$folder/short" --precision "$precision")" "$short"
done
exit "$failed"
