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
  same_bytes "$folder"/copy?/build/elmo[-_]*."$suffix"
done
archive=$(echo "$folder"/copy0/build/elmo-*.tar.gz)
wheel=$(echo "$folder"/copy0/build/elmo_bilm-*.whl)
name=$(basename "$archive" .tar.gz)
elmo=$folder/copy0/build/elmo

echo "== libelmo, with its own libraries"
rm -rf "$folder/a folder"
mkdir "$folder/a folder"
tar -xzf "$archive" -C "$folder/a folder"
prefix="$folder/a folder/$name"
sed -n '/^```c$/,/^```$/{/^```/!p}' io/library/LIBRARY.md > "$folder/a.c"
eval "cc -o '$folder/a.out' '$folder/a.c' $(PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --cflags --libs elmo)"
[[ $(env -i LD_LIBRARY_PATH="$prefix/lib" ldd "$folder/a.out") == *"/libexec/elmo/lib/libdnnl.so"* ]]
env -i LD_LIBRARY_PATH="$prefix/lib" "$folder/a.out"

((EUID == 0)) || skip "the same bytes twice; other roots need root"
expected=$(sample_vectors "$elmo")

echo "== an empty root"
rm -rf "$folder/empty"
mkdir "$folder/empty"
tar -xzf "$archive" -C "$folder/empty"
try "$folder/empty" "/$name/bin/elmo" "$expected"
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
try "$folder/busybox" "/$name/bin/elmo" "$expected"
# Found through a link in PATH, by another C library's shell.
mkdir -p "$folder/busybox/root/bin"
ln -s "/$name/bin/elmo" "$folder/busybox/root/bin/elmo"
env -i PATH=/root/bin "$(command -v chroot)" "$folder/busybox" /bin/busybox sh -c 'cd /data; elmo info vectors'

echo "== Debian 11"
rm -rf "$folder/bullseye"
mmdebstrap --variant=apt --include=python3-pip bullseye "$folder/bullseye" "$mirror" \
  || skip "the empty root and busybox; Debian 11 is not available"
cp "$wheel" "$folder/bullseye/root"
chroot "$folder/bullseye" pip3 install --no-deps --no-index "/root/$(basename "$wheel")"
try "$folder/bullseye" /usr/local/bin/elmo "$expected"
chroot "$folder/bullseye" pip3 uninstall --yes elmo-bilm
tar -xzf "$archive" -C "$folder/bullseye/opt"
rm -rf "$folder/bullseye/data"
try "$folder/bullseye" "/opt/$name/bin/elmo" "$expected"
rm -rf "$folder"
