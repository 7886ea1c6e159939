#!/usr/bin/env bash
# image.sh FOLDER: builds the image of cli/deploy/Containerfile on a bare Debian, made in FOLDER
# with the system's own mirror, and runs it: its user, its exit codes. Exits with 77
# if that is impossible here.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
folder=$(mkdir -p "$1" && cd "$1" && pwd)

((EUID == 0)) || skip "needs root"
for program in mmdebstrap buildah; do
  command -v "$program" > /dev/null || skip "needs $program"
done
mirror=$(debian_mirror)
[[ -n $mirror ]] || skip "no mirror of Debian in the system's apt configuration"

# Images of this test alone; without overlays and user namespaces, which containers may lack.
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot BUILDAH_FORMAT=oci
storage() {
  local command=$1
  shift
  buildah --root "$folder/storage" --runroot "$folder/run" "$command" "$@"
}
mmdebstrap --variant=apt --include=ca-certificates bookworm "$folder/debian.tar" "$mirror" \
  || skip "Debian is not available"
bare=$(storage from scratch)
storage add --quiet "$bare" "$folder/debian.tar"
storage commit --quiet --rm "$bare" localhost/debian > /dev/null

mkdir -p "$folder/tree"
git ls-files -z | tar --null --files-from=- --create | tar --extract --directory "$folder/tree"
storage bud --build-arg BASE=localhost/debian --build-arg "SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)" \
  --file "$folder/tree/cli/deploy/Containerfile" --tag elmo "$folder/tree"

# run EXIT-CODE ARGUMENT…: the image's entry point and arguments, and how that has to end. `buildah
# run` does not know entry points.
container=$(storage from elmo)
entry=$(storage inspect --format '{{index .OCIv1.Config.Entrypoint 0}} {{.OCIv1.Config.User}}' "$container")
[[ $entry == "elmo 10001" ]]
run() {
  local expected=$1 code=0
  shift
  storage run "$container" -- elmo "$@" < /dev/null || code=$?
  echo "elmo $*: $code"
  ((code == expected))
}
run 0 --version
run 2 embed --no-such-option
run 3 embed /no/such/file -o /tmp/vectors
run 0 embed /usr/share/common-licenses/GPL-3 -o /tmp/vectors --quiet
run 0 verify /tmp/vectors
storage rm --all > /dev/null
storage rmi --all --force > /dev/null
rm -rf "$folder"
