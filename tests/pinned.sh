#!/bin/sh
# pinned.sh HOME [NAME=VALUE…] COMMAND…: runs the command in the environment of all tests. Language,
# time zone, umask and the like are the same on every machine, the home folder is HOME, and only the
# variables below are the caller's.
set -eu
umask 022
mkdir -p "$1"
tests=$(cd "$(dirname "$0")" > /dev/null && pwd)
set -- HOME="$@"
for name in PATH TMPDIR ELMO_REFERENCE_DATA ELMO_SEED ELMO_RANDOM_SEED ELMO_RANDOM_CORPORA \
  ELMO_RANDOM_TEXTS ELMO_CHROMIUM ELMO_START_SLURM; do
  eval "[ -z \"\${$name+set}\" ] || set -- \"$name=\$$name\" \"\$@\""
done
exec env -i LC_ALL=C.UTF-8 TZ=UTC TERM=dumb \
  TSAN_OPTIONS="suppressions=$tests/tsan.supp" \
  LSAN_OPTIONS="suppressions=$tests/lsan.supp:print_suppressions=0" "$@"
