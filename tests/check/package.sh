#!/usr/bin/env bash
# package.sh FOLDER: builds the Debian package twice, from two copies of the tree in FOLDER,
# compares the bytes, and installs it on a bare Debian of the kind that this is. Exits with 77 if
# that is impossible here.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
folder=$(mkdir -p "$1" && cd "$1" && pwd)
root=$folder/root

build_twice "$folder" deb
packages=("$folder"/copy?/build/deb/*.deb)
same_bytes "${packages[@]}"

((EUID == 0)) || skip "the same bytes twice; installing needs root"
command -v mmdebstrap > /dev/null || skip "the same bytes twice; installing needs mmdebstrap"
mirror=$(debian_mirror)
[[ -n $mirror ]] || skip "the same bytes twice; no mirror of Debian in the system's apt configuration"
suite=$(debian_suite)
rm -rf "$root"
mmdebstrap --variant=apt --include=ca-certificates "$suite" "$root" "$mirror" \
  || skip "the same bytes twice; $suite is not available"
cp "${packages[0]}" "$root/elmo.deb"
export root
unshare --mount --propagation private bash -euc '
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 \
    chroot "$root" sh -euc "
      apt-get -qq update
      apt-get -qq -y install --no-install-recommends /elmo.deb
      elmo --version
      grep -q Copyright /usr/share/doc/elmo/licenses/libcli11-dev
      echo One sentence. | elmo embed --quiet --format jsonl --layers top | cut -c 1-80
      apt-get -qq -y install --no-install-recommends python3-numpy
      echo \"import elmo; print(elmo.Model().embed([[str(1)]])[0].shape)\" | python3
      python3 -c \"import ctypes; elmo = ctypes.CDLL(\\\"libelmo.so.1\\\"); \
        model = ctypes.c_void_p(); assert elmo.elmo_open(None, ctypes.byref(model)) == 0\"
      test -e /usr/include/elmo/elmo.h
      apt-get -qq -y remove elmo
      test ! -e /usr/bin/elmo
      test ! -e /usr/lib/python3/dist-packages/elmo"
' < /dev/null
rm -rf "$folder"
