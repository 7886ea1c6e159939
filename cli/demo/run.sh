#!/bin/sh
# Embeds the text beside this script with a random model and shows what was written.
#
#   run.sh ELMO FOLDER     the tool, and the folder to work in (emptied first)
set -eu
elmo=$1
work=$2
text=$(dirname "$0")/rain.txt

say() {
  echo
  echo "\$ elmo $*"
}

show() {
  say "$@"
  "$elmo" "$@"
}

rm -rf "$work"
mkdir -p "$work"

show init --preset tiny --seed 1 -o "$work/model"
say tokenize "$text" '| head -n 4'
"$elmo" tokenize "$text" | head -n 4
show embed "$text" --model "$work/model" -o "$work/vectors"
show verify "$work/vectors"
show info "$work/vectors"
