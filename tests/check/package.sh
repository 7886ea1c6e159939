#!/usr/bin/env bash
# package.sh FOLDER: builds the Debian package twice, from two copies of the tree in FOLDER,
# compares the bytes, and installs it on a bare Debian of the kind that this is. Ends with 77 where
# that cannot be had.
set -euo pipefail
folder=$(mkdir -p "$1" && cd "$1" && pwd)
root=$folder/root

skip() {
  echo "$1"
  exit 77
}

# Two builders: other paths, other times, another time zone.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
zones=(UTC Asia/Kathmandu)
for number in 0 1; do
  copy=$folder/copy$number
  rm -rf "$copy"
  mkdir "$copy"
  git ls-files -z | tar --null --files-from=- --create | tar --extract --touch --directory "$copy"
  TZ=${zones[number]} make -C "$copy" deb CMAKE_OPTIONS=-DBUILD_TESTING=OFF
done
packages=("$folder"/copy?/build/deb/*.deb)
cmp "${packages[@]}"
sha256sum "${packages[@]}"

((EUID == 0)) || skip "the same bytes twice; installing needs root"
command -v mmdebstrap > /dev/null || skip "the same bytes twice; installing needs mmdebstrap"
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian' | sed -n 1p)
[[ -n $mirror ]] || skip "the same bytes twice; no mirror of Debian in the system's apt configuration"
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
rm -rf "$root"
mmdebstrap --variant=apt --include=ca-certificates "$suite" "$root" "$mirror" \
  || skip "the same bytes twice; $suite cannot be had"
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
      echo One sentence. | elmo embed --quiet --format jsonl --layers top | cut -c 1-80
      apt-get -qq -y remove elmo
      test ! -e /usr/bin/elmo"
' < /dev/null
rm -rf "$folder"
