#!/usr/bin/env bash
# arm64.sh FOLDER: builds the tests of the kernels for arm64 in FOLDER and runs them under qemu: with
# NEON alone, and with SVE of several vector lengths. Exits with 77
# if that is impossible here.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
mkdir -p "$1"
folder=$(cd "$1" && pwd)
root=$folder/root
build=$folder/build

missing=()
for program in mmdebstrap qemu-aarch64-static aarch64-linux-gnu-g++; do
  command -v "$program" > /dev/null || missing+=("$program")
done
if ((${#missing[@]})); then
  ((EUID == 0)) || skip "needs ${missing[*]}"
  apt-get install -qq -y --no-install-recommends \
    mmdebstrap qemu-user-static g++-aarch64-linux-gnu || skip "needs ${missing[*]}"
fi
mirror=$(debian_mirror)
[[ -n $mirror ]] || skip "no mirror of Debian in the system's apt configuration"
suite=$(debian_suite)

# The libraries and their headers are unpacked, not installed: nothing of them has to run for that.
libraries=libdnnl-dev,ocl-icd-opencl-dev,libicu-dev,libhdf5-dev,libarchive-dev,zlib1g-dev,libhwy-dev
libraries+=,libxxhash-dev,libcli11-dev,nlohmann-json3-dev,libeigen3-dev,doctest-dev,libgomp1
if [[ ! -f $root/.whole ]]; then
  rm -rf "$root"
  mmdebstrap --variant=extract --architectures=arm64 --include="$libraries" "$suite" "$root" "$mirror" \
    || skip "the libraries for arm64 are not available"
  touch "$root/.whole"
fi

export PKG_CONFIG_SYSROOT_DIR=$root
export PKG_CONFIG_LIBDIR=$root/usr/lib/aarch64-linux-gnu/pkgconfig:$root/usr/share/pkgconfig
cmake -G Ninja -S . -B "$build" -DELMO_WERROR=ON \
  -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
  -DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++ -DCMAKE_SYSROOT="$root" \
  -DCMAKE_FIND_ROOT_PATH="$root" -DCMAKE_FIND_ROOT_PATH_MODE_PROGRAM=NEVER \
  -DCMAKE_FIND_ROOT_PATH_MODE_LIBRARY=ONLY -DCMAKE_FIND_ROOT_PATH_MODE_INCLUDE=ONLY \
  -DCMAKE_FIND_ROOT_PATH_MODE_PACKAGE=ONLY -DCMAKE_LIBRARY_ARCHITECTURE=aarch64-linux-gnu
cmake --build "$build" --parallel "${JOBS:-$(nproc)}" --target elmo_kernel_tests

for processor in max,sve=off max,sve-max-vq={1,2,4}; do
  echo "$processor"
  qemu-aarch64-static -cpu "$processor" -L "$root" "$build/tests/elmo_kernel_tests"
done
