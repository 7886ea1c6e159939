#!/usr/bin/env bash
# arm64_tool.sh: what users do, with the arm64 tool in `build` and the libraries in `root`; where
# `native`, this machine's tool, computes the same, both are compared. Files go to `folder`. Run by
# arm64.sh in namespaces of its own. Exits with 77 if that is impossible here.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# From here on the system runs arm64 programs by qemu, also those that others start.
mount -t binfmt_misc none /proc/sys/fs/binfmt_misc || skip "the kernels pass; the tool needs Linux 6.7"
cat /usr/lib/binfmt.d/qemu-aarch64.conf > /proc/sys/fs/binfmt_misc/register
export QEMU_LD_PREFIX=$root QEMU_CPU=max,sve=off
elmo=$build/elmo
work=$folder/work
rm -rf "$work"
mkdir "$work"

echo "== tokenize"
sed -n 1,60p LICENSE > "$work/text"
"$elmo" tokenize "$work/text" > "$work/tokens"
"$native" tokenize "$work/text" | cmp - "$work/tokens"

# vectors NAME PROGRAM PRECISION: writes the vectors of the text.
vectors() {
  "$2" embed "$work/text" --precision "$3" --quiet --format npy > "$work/$1"
}

echo "== embed"
vectors float32 "$elmo" float32
vectors int8 "$elmo" int8
vectors native-float32 "$native" float32
vectors native-int8 "$native" int8
/usr/bin/python3 - "$work" << 'END'
import sys
import numpy

def rows(name):
    arrays = []
    with open(f"{sys.argv[1]}/{name}", "rb") as file:
        while file.peek(1):
            arrays.append(numpy.load(file).astype(float))
    return numpy.concatenate([array.reshape(-1, array.shape[-1]) for array in arrays])

# A gate that another instruction set rounds otherwise may change a rounded input of int8 by one step.
for name, largest, least in (("float32", 1e-5, 0.999999), ("int8", 0.1, 0.9999)):
    found, expected = rows(name), rows(f"native-{name}")
    assert found.shape == expected.shape, name
    difference = abs(found - expected).max()
    norms = numpy.linalg.norm(found, axis=1) * numpy.linalg.norm(expected, axis=1)
    cosine = ((found * expected).sum(axis=1) / norms).mean()
    print(f"{name}: {len(found)} rows, largest difference {difference:.2g}, mean cosine {cosine:.6f}")
    assert difference <= largest and cosine >= least
END

echo "== products of other processors: the same sums"
for chosen in float32:cortex-a72 int8:cortex-a76; do
  QEMU_CPU=${chosen#*:} vectors other "$elmo" "${chosen%:*}"
  cmp "$work/other" "$work/${chosen%:*}"
done
code=0
QEMU_CPU=cortex-a72 vectors refused "$elmo" int8 2> "$work/error" || code=$?
((code == 2)) && grep 'lacks the instructions for int8' "$work/error"

echo "== killed and resumed"
for number in {1..4}; do cat "$work/text"; done > "$work/long"
embed_long=("$elmo" embed "$work/long" --quiet --shard-size 4M --resume -o)
"${embed_long[@]}" "$work/whole"
"${embed_long[@]}" "$work/resumed" &
process=$!
until [[ -f $work/resumed/shard-00001.h5 ]]; do kill -0 "$process"; done
kill -KILL "$process"
wait "$process" || true
"${embed_long[@]}" "$work/resumed"
"$elmo" verify "$work/resumed"
for shard in "$work"/whole/*.h5; do cmp "$shard" "$work/resumed/${shard##*/}"; done

echo "== classify"
for number in {1..24}; do
  printf 'good\ta fine film of %d hours\nbad\ta dull film of %d hours\n' "$number" "$number"
done > "$work/films.tsv"
"$elmo" task train --quiet --kind classify --train "$work/films.tsv" --dev "$work/films.tsv" --hidden 16 \
  --min-steps 20 -o "$work/films"
"$elmo" task evaluate "$work/films" "$work/films.tsv"

# Of the arm64 libraries' licenses and packages, in place of this machine's.
mount --bind "$root/usr/share/doc" /usr/share/doc
mkdir "$work/bin"
cat > "$work/bin/ldd" << END
#!/bin/sh
LD_TRACE_LOADED_OBJECTS=1 "\$1" | sed 's| => /| => $root/|; s|^\t/lib|\t$root/lib|'
END
cat > "$work/bin/dpkg-query" << END
#!/usr/bin/env bash
exec /usr/bin/dpkg-query --admindir=$root/var/lib/dpkg "\${@#$root}"
END
ln -s /usr/bin/aarch64-linux-gnu-strip "$work/bin/strip"
chmod +x "$work"/bin/*
version=$("$elmo" --version | sed 's/.* //')
for kind in portable wheel; do
  echo "== $kind"
  SOURCE_DATE_EPOCH=1700000000 PATH=$work/bin:$PATH \
    /usr/bin/python3 cli/deploy/portable.py "$kind" "$build" "$work"
done
archive=$work/elmo-$version-linux-aarch64
mkdir "$work/empty"
tar -xzf "$archive.tar.gz" -C "$work/empty"
try "$work/empty" "/${archive##*/}/bin/elmo" "$(sample_vectors env -u QEMU_CPU "$elmo")"
/usr/bin/python3 -m zipfile -l "$work/elmo_bilm-$version-py3-none-linux_aarch64.whl" > "$work/wheel"
for part in data/libexec/elmo/program scripts/elmo; do grep "elmo_bilm-$version.data/$part" "$work/wheel"; done
