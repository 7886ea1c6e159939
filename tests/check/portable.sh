#!/usr/bin/env bash
# portable.sh FOLDER: builds the portable archive and the wheel twice, from two copies of the tree in
# FOLDER, compares the bytes, and runs them in roots that hold little or nothing else: an empty one,
# busybox alone, and Debian 11, where pip installs the wheel. Exits with 77 if that is
# impossible here.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
folder=$(mkdir -p "$1" && cd "$1" && pwd)

build_twice "$folder" portable wheel
for suffix in tar.gz whl; do
  same_bytes "$folder"/copy?/build/elmo-*."$suffix"
done
archive=$(echo "$folder"/copy0/build/elmo-*.tar.gz)
wheel=$(echo "$folder"/copy0/build/elmo-*.whl)
name=$(basename "$archive" .tar.gz)
elmo=$folder/copy0/build/elmo

((EUID == 0)) || skip "the same bytes twice; other roots need root"
text='We sat on the bank of the river. 은행에 갔다.'
expected=$(echo "$text" | "$elmo" embed --quiet --format jsonl | sha256sum)

# try ROOT LAUNCHER: the tool in that root: the build's vectors, a run that verifies, training that
# resumes, exit codes.
try() {
  local root=$1 launcher=$2
  there() { env -i "$(command -v chroot)" "$root" "$launcher" "$@"; }
  ends_with() {
    local expected=$1 code=0
    shift
    there "$@" < /dev/null || code=$?
    ((code == expected)) || { echo "elmo $*: exit code $code, expected $expected"; return 1; }
  }
  mkdir "$root/data"
  echo "$text" > "$root/data/text.txt"
  seq 200 | sed 's/.*/This is sentence number & of a text./' > "$root/data/train.txt"
  there --version
  [[ $(echo "$text" | there embed --quiet --format jsonl | sha256sum) == "$expected" ]]
  ends_with 0 embed /data/text.txt --model elmo-tiny-ko --quiet -o /data/vectors
  ends_with 0 verify /data/vectors
  local train=(train /data/train.txt --valid /data/train.txt --preset tiny --samples 8 --steps 4
    --resume --quiet -o /data/model)
  ends_with 4 "${train[@]}" --max-steps 2
  ends_with 0 "${train[@]}"
  ends_with 0 perplexity --model /data/model /data/text.txt
  ends_with 2 embed --no-such-option
  ends_with 3 embed /no/such/file -o /data/none
}

echo "== an empty root"
rm -rf "$folder/empty"
mkdir "$folder/empty"
tar -xzf "$archive" -C "$folder/empty"
try "$folder/empty" "/$name/bin/elmo"
ls -A "$folder/empty"

command -v mmdebstrap > /dev/null || skip "the empty root; others need mmdebstrap"
mirror=$(debian_mirror)
[[ -n $mirror ]] || skip "the empty root; no mirror of Debian in the system's apt configuration"
suite=$(debian_suite)

echo "== busybox"
rm -rf "$folder/busybox"
mmdebstrap --variant=extract --include=busybox-static "$suite" "$folder/busybox" "$mirror" \
  || skip "the empty root; busybox-static is not available"
tar -xzf "$archive" -C "$folder/busybox"
try "$folder/busybox" "/$name/bin/elmo"
# Found through a link in PATH, by another C library's shell.
mkdir -p "$folder/busybox/root/bin"
ln -s "/$name/bin/elmo" "$folder/busybox/root/bin/elmo"
env -i PATH=/root/bin "$(command -v chroot)" "$folder/busybox" /bin/busybox sh -c 'cd /data; elmo info vectors'

echo "== Debian 11"
rm -rf "$folder/bullseye"
mmdebstrap --variant=apt --include=python3-pip bullseye "$folder/bullseye" "$mirror" \
  || skip "the empty root and busybox; Debian 11 is not available"
cp "$wheel" "$folder/bullseye/root"
chroot "$folder/bullseye" pip3 install --no-index "/root/$(basename "$wheel")"
try "$folder/bullseye" /usr/local/bin/elmo
chroot "$folder/bullseye" pip3 uninstall --yes elmo
tar -xzf "$archive" -C "$folder/bullseye/opt"
rm -rf "$folder/bullseye/data"
try "$folder/bullseye" "/opt/$name/bin/elmo"
rm -rf "$folder"
