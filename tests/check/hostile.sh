#!/usr/bin/env bash
# hostile.sh FOLDER: runs `make test` on the build in FOLDER in an environment that differs from
# everybody's: a language that is not installed, a distant time zone, no home folder, and settings for
# the libraries and programs that tests use.
set -euo pipefail
folder=$1

umask 077
exec env LC_ALL=xx_XX.UTF-8 LC_CTYPE=UTF-8 LANG=de_DE LANGUAGE=de TZ=Asia/Kathmandu \
  HOME=/nonexistent TERM=xterm-256color NO_COLOR=1 COLUMNS=20 CDPATH=/:/usr POSIXLY_CORRECT=1 \
  GREP_OPTIONS=--color=always GREP_COLORS='mt=01;31' MAKEFLAGS=--keep-going \
  XDG_CACHE_HOME=/dev/null XDG_CONFIG_HOME=/dev/null XDG_DATA_HOME=/dev/null \
  ELMO_MODEL_PATH=/nonexistent ELMO=/nonexistent OMP_NUM_THREADS=7 OMP_DYNAMIC=true OMP_SCHEDULE=guided \
  ONEDNN_MAX_CPU_ISA=SSE41 PYTHONPATH=/nonexistent PYTHONWARNINGS=error HDF5_PLUGIN_PATH=/nonexistent \
  make test BUILD="$folder"
