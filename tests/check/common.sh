# Functions that the scripts in this folder share.

# skip REASON: ends the script, which cannot run on this machine.
skip() {
  echo "$1"
  exit 77
}

# debian_mirror: prints the address that the system's own packages come from, if there is one.
debian_mirror() {
  apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian' | sed -n 1p
}

# debian_suite: prints the name of this machine's Debian, such as bookworm.
debian_suite() {
  (. /etc/os-release && echo "$VERSION_CODENAME")
}

# build_twice FOLDER TARGET…: makes the targets in FOLDER/copy0 and FOLDER/copy1, two copies of the
# tree, as two builders do: with other paths, at other times, in another time zone.
build_twice() {
  local folder=$1 number copy target
  shift
  SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
  export SOURCE_DATE_EPOCH
  local zones=(UTC Asia/Kathmandu)
  for number in 0 1; do
    copy=$folder/copy$number
    rm -rf "$copy"
    mkdir "$copy"
    git ls-files -z | tar --null --files-from=- --create | tar --extract --touch --directory "$copy"
    for target in "$@"; do
      TZ=${zones[number]} make -C "$copy" "$target" CMAKE_OPTIONS=-DBUILD_TESTING=OFF
    done
  done
}

# same_bytes FILE FILE: fails if they differ; prints their checksums.
same_bytes() {
  cmp "$@"
  sha256sum "$@"
}
