#!/usr/bin/env bash
# arm64.sh SUITE FOLDER [ELMO]: builds the tool and the tests of the kernels for arm64 in FOLDER, with
# the libraries of that Debian, and runs them under qemu: the kernels on processors of several kinds,
# then what users do, compared with ELMO, this machine's tool. Exits with 77 if that is
# impossible here.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. tests/check/common.sh
suite=$1
folder=$(mkdir -p "$2" && cd "$2" && pwd)
native=$(realpath "${3:-${BUILD:-build}/elmo}")
root=$folder/root
build=$folder/build

missing=()
for program in mmdebstrap qemu-aarch64 qemu-aarch64-static aarch64-linux-gnu-g++; do
  command -v "$program" > /dev/null || missing+=("$program")
done
if ((${#missing[@]})); then
  ((EUID == 0)) || skip "needs ${missing[*]}"
  apt-get install -qq -y --no-install-recommends \
    mmdebstrap qemu-user qemu-user-static g++-aarch64-linux-gnu || skip "needs ${missing[*]}"
fi
mirror=$(debian_mirror)
[[ -n $mirror ]] || skip "no mirror of Debian in the system's apt configuration"

# The libraries and their headers are unpacked, not installed: nothing of them has to run for that.
# dpkg is told what is where, for the licenses that the archive holds.
libraries=libdnnl-dev,ocl-icd-opencl-dev,libicu-dev,libhdf5-dev,libarchive-dev,zlib1g-dev,libhwy-dev
libraries+=,libxxhash-dev,libcli11-dev,nlohmann-json3-dev,libeigen3-dev,libflatbuffers-dev,doctest-dev
libraries+=,libgomp1
if [[ ! -f $root/.whole ]]; then
  rm -rf "$root"
  mmdebstrap --variant=extract --architectures=arm64 --include="$libraries" --skip=cleanup/apt \
    "$suite" "$root" "$mirror" || skip "the libraries for arm64 are not available"
  [[ -e $root/lib ]] || ln -s usr/lib "$root/lib"
  echo 1 > "$root/var/lib/dpkg/info/format"
  for package in "$root"/var/cache/apt/archives/*.deb; do
    list=$root/var/lib/dpkg/info/$(dpkg-deb --show --showformat '${Package}' "$package").list
    ! dpkg-deb --field "$package" Multi-Arch | grep -qx same || list=${list%.list}:arm64.list
    dpkg-deb --fsys-tarfile "$package" | tar --list | sed 's/^\.//; s/\/$//; s/^$/\/./' > "$list"
    dpkg-deb --field "$package" | sed 's/^Package:.*/&\nStatus: install ok installed/'
    echo
  done > "$root/var/lib/dpkg/status"
  rm -r "$root/var/cache/apt"
  touch "$root/.whole"
fi

export PKG_CONFIG_SYSROOT_DIR=$root
export PKG_CONFIG_LIBDIR=$root/usr/lib/aarch64-linux-gnu/pkgconfig:$root/usr/share/pkgconfig
# A newer Debian's libraries need a newer C library than the compiler links with. That they name what
# it lacks does no harm in shared ones, HDF5's among them.
newer=()
[[ $suite == "$(debian_suite)" ]] || newer=(-DHDF5_ARCHIVE=)
cmake -G Ninja -S . -B "$build" -DELMO_WERROR=ON \
  -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
  -DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++ -DCMAKE_SYSROOT="$root" \
  -DCMAKE_EXE_LINKER_FLAGS=-Wl,--allow-shlib-undefined "${newer[@]}" \
  -DCMAKE_FIND_ROOT_PATH="$root" -DCMAKE_FIND_ROOT_PATH_MODE_PROGRAM=NEVER \
  -DCMAKE_FIND_ROOT_PATH_MODE_LIBRARY=ONLY -DCMAKE_FIND_ROOT_PATH_MODE_INCLUDE=ONLY \
  -DCMAKE_FIND_ROOT_PATH_MODE_PACKAGE=ONLY -DCMAKE_LIBRARY_ARCHITECTURE=aarch64-linux-gnu
cmake --build "$build" --parallel "${JOBS:-$(nproc)}" \
  --target elmo elmo_library elmo_launcher elmo_portable_library elmo_kernel_tests

# kernels PROCESSOR [OPTION…]
kernels() {
  echo "== kernels, $1"
  qemu-aarch64-static -cpu "$1" -L "$root" "$build/tests/elmo_kernel_tests" "${@:2}"
}
# Without dot products, with sdot, with usmmla, and with SVE of several vector lengths. Wide vectors
# are emulated so slowly that large matrices alone take more than 20 minutes.
for processor in cortex-a72 cortex-a76 max,sve=off max,sve-max-vq=1; do
  kernels "$processor"
done
for processor in max,sve-max-vq={2,4}; do
  kernels "$processor" --test-case-exclude='*large matrices'
done

echo "== instructions"
tests/check/instructions.sh "$root" "$build/elmo" "$folder"

# In namespaces of its own, the system runs arm64 programs by qemu, also those that others start, and
# this machine's libraries are arm64's.
((EUID == 0)) || skip "the kernels pass; the tool needs root"
export root build folder native
unshare --user --map-root-user --mount --propagation private true || skip "the kernels pass; may not unshare"
echo "== tool"
unshare --user --map-root-user --mount --propagation private tests/check/arm64_tool.sh
