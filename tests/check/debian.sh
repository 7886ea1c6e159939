#!/usr/bin/env bash
# debian.sh SUITE FOLDER: on a bare Debian of that suite, made in FOLDER with the system's own mirror,
# installs what `make` asks for, runs the demo and every test. Exits with 77 if that is impossible
# here.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
suite=$1
folder=$2
root=$folder/root

((EUID == 0)) || skip "needs root"
command -v mmdebstrap > /dev/null || apt-get install -qq -y --no-install-recommends mmdebstrap \
  || skip "needs mmdebstrap"
mirror=$(debian_mirror)
[[ -n $mirror ]] || skip "no mirror of Debian in the system's apt configuration"
unshare --mount true || skip "may not mount"

rm -rf --one-file-system "$folder"
mkdir -p "$folder"
mmdebstrap --variant=apt --include=ca-certificates,make "$suite" "$root" "$mirror" \
  || skip "$suite is not available"
mkdir "$root/elmo"
git ls-files -z | tar --null --files-from=- --create | tar --extract --directory "$root/elmo"

# The mounts end with the namespace; the folder has been a bare one before.
export root
unshare --mount --propagation private bash -euc '
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
    chroot "$root" sh -euc "cd /elmo; make demo; make test"
' < /dev/null
rm -rf --one-file-system "$folder"
