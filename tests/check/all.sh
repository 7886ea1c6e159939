#!/usr/bin/env bash
# Checks everything and prints a line for each part: ok, skipped (and why) or failed (and where its
# output is). Exits with 1 if a part failed. Arguments are the parts to run instead of all.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit

# A part that cannot run on this machine exits with this code; its last line gives the reason.
readonly SKIPPED=77
readonly BUILD=${BUILD:-build}
readonly LOGS=$BUILD/check
failed=0

# part NAME COMMAND…: runs the command, unless other parts were asked for.
part() {
  local name=$1 began=$SECONDS code=0
  shift
  known+=("$name")
  if ((${#wanted[@]})) && [[ " ${wanted[*]} " != *" $name "* ]]; then return; fi
  "$@" > "$LOGS/$name.log" 2>&1 < /dev/null || code=$?
  local line
  case $code in
    0) line=ok ;;
    "$SKIPPED") line="skipped ($(tail -n 1 "$LOGS/$name.log"))" ;;
    *)
      line="failed (see $LOGS/$name.log)"
      failed=1
      ;;
  esac
  printf '%-10s %s, %d s\n' "$name" "$line" $((SECONDS - began))
}

wanted=("$@")
known=()
mkdir -p "$LOGS"
part release make test BUILD="$BUILD/strict" CMAKE_OPTIONS=-DELMO_WERROR=ON
part demo make demo BUILD="$BUILD/strict"
part hostile tests/check/hostile.sh "$BUILD/strict"
part debug make debug
part asan make asan
part tsan make tsan
part lto make lto
part one-file make one-file UNITS=elmo
part tidy make tidy
part mpi make check-mpi
part fuzz make fuzz FUZZ_SECONDS=60
part debian12 tests/check/debian.sh bookworm "$BUILD/debian12"
part debian13 tests/check/debian.sh trixie "$BUILD/debian13"
part scale make check-scale
part wheel make wheel BUILD="$BUILD/strict"
part clients tests/check/clients.sh "$BUILD/strict/elmo" "$BUILD/clients-venv"
part browser tests/check/browser.sh "$BUILD/strict"
part arm64-12 tests/check/arm64.sh bookworm "$BUILD/arm64-12" "$BUILD/strict/elmo"
part arm64-13 tests/check/arm64.sh trixie "$BUILD/arm64-13" "$BUILD/strict/elmo"
for name in "${wanted[@]}"; do
  if [[ " ${known[*]} " != *" $name "* ]]; then
    echo "$name is no part; expected one of: ${known[*]}" >&2
    failed=1
  fi
done
exit "$failed"
