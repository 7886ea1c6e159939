#!/bin/sh
# Embeds the texts beside this script, shows what was written and what the vectors mean.
#
#   run.sh ELMO FOLDER     the tool, and the folder to work in (emptied first)
set -eu
elmo=$1
work=$2
here=$(dirname "$0")
text=$here/rain.txt

say() {
  echo
  echo "\$ elmo $*"
}

show() {
  say "$@"
  "$elmo" "$@"
}

# senses FILE FLAG...: which occurrences of the file's ambiguous words are nearest to each other.
senses() {
  file=$here/$1
  shift
  say embed "$@" --input-format jsonl --format jsonl "$file" '| neighbors.py'
  # Through a file: a pipe would hide that the tool failed.
  "$elmo" embed --quiet "$@" --input-format jsonl --format jsonl "$file" > "$work/vectors.jsonl"
  python3 "$here/neighbors.py" < "$work/vectors.jsonl"
}

rm -rf "$work"
mkdir -p "$work"

say tokenize "$text" '| head -n 4'
"$elmo" tokenize "$text" | head -n 4
show embed "$text" -o "$work/vectors"
show verify "$work/vectors"
show info "$work/vectors"
senses senses.jsonl
senses senses-ko.jsonl --model elmo-tiny-ko
for word in bank play spring; do
  show neighbors "$word" --input-format jsonl --corpus "$here/senses.jsonl" --map "$work/$word.html"
done
