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

# sample_vectors COMMAND…: prints a checksum of the vectors that the tool computes of a short text.
readonly SAMPLE='We sat on the bank of the river. 은행에 갔다.'
sample_vectors() {
  echo "$SAMPLE" | "$@" embed --quiet --format jsonl | sha256sum
}

# try ROOT LAUNCHER VECTORS: the tool in that root: the sample's vectors, a run that verifies, training
# that resumes, exit codes. Trains on so little that an emulated processor does it in a minute.
try() {
  local root=$1 launcher=$2 vectors=$3
  there() { env -i "$(command -v chroot)" "$root" "$launcher" "$@"; }
  ends_with() {
    local expected=$1 code=0
    shift
    there "$@" < /dev/null || code=$?
    ((code == expected)) || { echo "elmo $*: exit code $code, expected $expected"; return 1; }
  }
  mkdir "$root/data"
  echo "$SAMPLE" > "$root/data/text.txt"
  seq 20 | sed 's/.*/This is sentence number & of a text./' > "$root/data/train.txt"
  there --version
  [[ $(sample_vectors there) == "$vectors" ]]
  ends_with 0 embed /data/text.txt --model elmo-tiny-ko --quiet -o /data/vectors
  ends_with 0 verify /data/vectors
  local train=(train /data/train.txt --valid /data/train.txt --preset tiny --batch 4 --samples 8 --steps 4
    --resume --quiet -o /data/model)
  ends_with 4 "${train[@]}" --max-steps 2
  ends_with 0 "${train[@]}"
  ends_with 0 perplexity --model /data/model /data/text.txt
  ends_with 2 embed --no-such-option
  ends_with 3 embed /no/such/file -o /data/none
}
