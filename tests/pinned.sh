#!/bin/sh
# pinned.sh HOME [NAME=VALUE…] COMMAND…: runs the command in the environment of all tests. Language,
# time zone, umask and the like are the same on every machine, the home folder is HOME, and only the
# variables below are the caller's.
set -eu
umask 022
mkdir -p "$1"
tests=$(cd "$(dirname "$0")" > /dev/null && pwd)
# Tests that publish hundreds of files wait mostly for the disk. Their files lie in memory where there
# are 8 GiB of it, 4 GiB for files, and programs may be started from there.
memory=/dev/shm
if [ -z "${TMPDIR+set}" ] && [ -w "$memory" ] && ! grep -q "^[^ ]* $memory [^ ]* [^ ]*noexec" /proc/mounts \
  && [ "$(df -Pk "$memory" | awk 'NR == 2 { print $4 }')" -ge 4194304 ] \
  && [ "$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo)" -ge 8388608 ]; then
  TMPDIR=$memory
fi
set -- HOME="$@"
for name in PATH TMPDIR ELMO_REFERENCE_DATA ELMO_SEED ELMO_RANDOM_SEED ELMO_RANDOM_CORPORA \
  ELMO_RANDOM_TEXTS ELMO_CHROMIUM ELMO_START_SLURM; do
  eval "[ -z \"\${$name+set}\" ] || set -- \"$name=\$$name\" \"\$@\""
done
exec env -i LC_ALL=C.UTF-8 TZ=UTC TERM=dumb \
  TSAN_OPTIONS="suppressions=$tests/tsan.supp" \
  LSAN_OPTIONS="suppressions=$tests/lsan.supp:print_suppressions=0" "$@"
