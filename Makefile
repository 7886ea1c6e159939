# Front end to CMake. `make help` lists the targets.

BUILD ?= build
JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 20
BENCH_LOG ?= tests/bench/log.jsonl
# The system's Python sees the distribution's h5py.
PYTHON ?= $(firstword $(wildcard /usr/bin/python3) python3)
# Extra arguments for cmake when it configures, for ctest and for run-clang-tidy.
CMAKE_OPTIONS ?=
TESTS ?=
TIDY_OPTIONS ?=
# What one-file compiles: a target of CMake.
UNITS ?= elmo_core
# Versions of check-clients: pinned, or `newest`.
CLIENTS ?=
prefix ?= /usr/local

# Debian packages: what building and testing need, and what single targets need in addition. OpenCL is
# asked for by oneDNN's CMake files only.
PACKAGES = g++ cmake ninja-build pkgconf libdnnl-dev ocl-icd-opencl-dev libicu-dev libhdf5-dev \
  libarchive-dev zlib1g-dev libcli11-dev nlohmann-json3-dev libeigen3-dev libflatbuffers-dev libhwy-dev \
  libxxhash-dev doctest-dev python3 python3-h5py
FUZZ_PACKAGES = clang libclang-rt-dev libomp-dev
FORMAT_PACKAGES = clang-format-14
TIDY_PACKAGES = clang-14 clang-tidy-14 libomp-14-dev
SYNTAX_PACKAGES = clang-16
MPI_PACKAGES = libopenmpi-dev openmpi-bin
DEB_PACKAGES = dpkg-dev file
SCALE_PACKAGES = $(DEB_PACKAGES) slurm-wlm munge iproute2 parallel mmdebstrap buildah \
  $(if $(shell command -v npm),,nodejs npm)
# Of npm's registry: the schema of Kubernetes' API, of the last version that Node.js 18 and 20 take,
# and a reader of YAML.
NODE_PACKAGES = kubernetes-models@4 yaml@2
CLIENT_PACKAGES = python3-venv default-jre-headless

CMAKE_FLAGS = -G Ninja \
  $(if $(shell command -v ccache),-DCMAKE_CXX_COMPILER_LAUNCHER=ccache) $(CMAKE_OPTIONS)

# $(call packages,PACKAGES,TARGET): makes sure that they are installed. Root installs those that are
# missing; otherwise prints their names, and that TARGET installs them. Does nothing without dpkg:
# CMake then names what it does not find.
SUDO =
define packages
@command -v dpkg-query > /dev/null || exit 0; \
missing=; \
for package in $(1); do \
  dpkg-query --show --showformat '$${db:Status-Status}\n' $$package 2> /dev/null \
    | grep -qx installed || missing="$$missing $$package"; \
done; \
[ -n "$$missing" ] || exit 0; \
if [ "$$(id -u)" != 0 ] && [ -z "$(SUDO)" ]; then \
  echo "These packages are missing:$$missing" >&2; \
  echo "Install them with: make $(2) (it calls sudo)" >&2; \
  exit 1; \
fi; \
if [ -n "$(SUDO)" ] && ! command -v $(SUDO) > /dev/null; then \
  echo "$(SUDO) is missing. As root, install:$$missing" >&2; \
  exit 1; \
fi; \
echo "Installing:$$missing"; \
apt_get() { \
  $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get -qq -y "$$@" < /dev/null; \
}; \
fetch() { apt_get install --no-install-recommends $$missing; }; \
fetch 2> /dev/null || { apt_get update && fetch; }
endef

# $(call configure,FOLDER,OPTIONS): once; from then on the build reconfigures itself where needed. A
# folder that was copied or moved with its tree would compile the sources of the former tree.
configured_for = $$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' $(1)/CMakeCache.txt)
configure = @[ -f $(1)/build.ninja ] && [ "$(configured_for)" -ef . ] \
  || cmake --fresh $(CMAKE_FLAGS) -S . -B $(1) $(2)
compile = cmake --build $(1) --parallel $(JOBS)
# $(call run_tests,FOLDER,OPTIONS): then lists the cases that tests which passed have skipped.
run_tests = code=0; ctest --test-dir $(1) --output-on-failure --no-tests=error --parallel $(JOBS) $(TESTS) \
  $(2) || code=$$?; sed -n '/^skipped: /p' $(1)/Testing/Temporary/LastTest.log; exit $$code

.PHONY: all build test check demo bench bench-log model-report pictures debug asan tsan lto fuzz format tidy one-file \
  syntax check-threads check-mpi check-scale check-clients check-all install portable wheel deb docs clean help \
  needed deps deps-mpi deps-scale deps-all

all: build

build: needed ## Build build/elmo and build/libelmo.so (the default)
	$(call configure,$(BUILD))
	$(call compile,$(BUILD)) --target elmo elmo_library

test: needed ## Build everything and run all tests
	$(call configure,$(BUILD))
	$(call compile,$(BUILD))
	$(call run_tests,$(BUILD))

check: needed ## Run the unit tests: a minute, once they are built
	$(call configure,$(BUILD))
	$(call compile,$(BUILD)) --target unit_tests
	$(call run_tests,$(BUILD),--label-regex '^unit$$')

demo: build ## Embed short texts and explain the output
	@sh cli/demo/run.sh $(BUILD)/elmo $(BUILD)/demo

bench: needed ## Measure the tool's speed relative to this machine's peak, with BENCH_FLAGS
	$(call configure,$(BUILD))
	$(call compile,$(BUILD)) --target elmo elmo-bench
	@for precision in $$($(BUILD)/elmo info | sed -n 's/,//g; s/^precisions *\(.*\) on this CPU$$/\1/p'); do \
	  echo "elmo-bench --precision $$precision $(BENCH_FLAGS)"; \
	  $(BUILD)/elmo-bench --precision $$precision $(BENCH_FLAGS) || exit; \
	done

bench-log: needed ## Measure a fixed set of speeds and append them to BENCH_LOG
	$(call configure,$(BUILD))
	$(call compile,$(BUILD)) --target elmo elmo-bench
	$(PYTHON) tests/bench/bench_log.py --build $(BUILD) --log $(BENCH_LOG) $(BENCH_FLAGS)

model-report: build ## Measure what the models' cards show, as far as it is missing, and write it there
	$(PYTHON) tests/bench/model_report.py --elmo $(BUILD)/elmo --work $(BUILD)/model-report $(REPORT_FLAGS)

pictures: build ## Make the pictures of README.md, ANALYSIS.md and RESULTS.md; takes hours
	$(PYTHON) tests/bench/pictures.py --elmo $(BUILD)/elmo --work $(BUILD)/pictures $(PICTURE_FLAGS) \
	  || [ $$? = 77 ]

debug asan tsan lto: needed
	$(call configure,$(BUILD)/$@,--preset $@)
	$(call compile,$(BUILD)/$@)
	$(call run_tests,$(BUILD)/$@)

debug: ## Run all tests without optimization
asan: ## Run every test under the address and undefined-behavior sanitizers
tsan: ## Run every test under the thread sanitizer
lto: ## Run every test with link-time optimization, which sees what is defined twice

unit-%: needed # What debug, asan and tsan do, with the test programs of core and io only
	$(call configure,$(BUILD)/$*,--preset $*)
	$(call compile,$(BUILD)/$*) --target unit_tests
	$(call run_tests,$(BUILD)/$*,--label-regex '^unit$$')

fuzz: needed ## Run every fuzzer, each for FUZZ_SECONDS (20)
	$(call packages,$(FUZZ_PACKAGES),deps-all)
	$(call configure,$(BUILD)/fuzz,--preset fuzz)
	$(call compile,$(BUILD)/fuzz) --target fuzzers
	@set -e; for fuzzer in $(BUILD)/fuzz/tests/fuzz/fuzz_*; do \
	  [ -x $$fuzzer ] && [ -f $$fuzzer ] || continue; \
	  echo "$$fuzzer"; \
	  mkdir -p $$fuzzer.corpus; \
	  LSAN_OPTIONS=suppressions=tests/lsan.supp:print_suppressions=0 \
	    $$fuzzer -max_total_time=$(FUZZ_SECONDS) -artifact_prefix=$$fuzzer.found- $$fuzzer.corpus \
	    $$(ls -d tests/fuzz/corpus/$${fuzzer##*/} 2> /dev/null || true); \
	done

format: ## Format every source file
	$(call packages,$(FORMAT_PACKAGES),deps-all)
	clang-format-14 -i $$(find core io cli tests -name '*.cpp' -o -name '*.h')

tidy: needed ## Run clang-tidy over every source file but the tests
	$(call packages,$(TIDY_PACKAGES),deps-all)
	$(call configure,$(BUILD)/tidy,--preset tidy)
	run-clang-tidy-14 -quiet -p $(BUILD)/tidy -j $(JOBS) $(TIDY_OPTIONS)

one-file: needed ## Compile every file of UNITS (elmo_core) by itself, as for editing, with warnings as errors
	$(call configure,$(BUILD)/one-file,-DELMO_UNITY_BUILD=OFF -DELMO_WERROR=ON)
	$(call compile,$(BUILD)/one-file) --target $(UNITS)

syntax: needed ## Check the syntax of every unit with clang 16
	$(call packages,$(SYNTAX_PACKAGES),deps-all)
	$(call configure,$(BUILD))
	$(PYTHON) -B tests/syntax.py $(BUILD)/compile_commands.json

check-threads: needed ## Run what computes with several threads under the thread sanitizer
	$(call configure,$(BUILD)/tsan,--preset tsan)
	$(call compile,$(BUILD)/tsan) --target elmo_thread_tests
	TSAN_OPTIONS=suppressions=tests/tsan.supp $(BUILD)/tsan/tests/elmo_thread_tests

check-mpi: needed ## Build build/mpi/elmo, which trains over MPI, and test that on this machine
	$(call packages,$(MPI_PACKAGES),deps-mpi)
	$(call configure,$(BUILD)/mpi,--preset mpi)
	$(call compile,$(BUILD)/mpi) --target elmo elmo_mpi_tests
	$(call run_tests,$(BUILD)/mpi,--label-regex '^mpi$$')

check-scale: export ELMO_START_SLURM = 1
check-scale: build ## Try cli/deploy for real: Slurm, Kubernetes' schema, GNU parallel, packages, image
	$(call packages,$(SCALE_PACKAGES),deps-scale)
	npm install --no-audit --no-fund --prefix $(BUILD)/node $(NODE_PACKAGES)
	$(call compile,$(BUILD)) --target elmo-bench elmo_launcher elmo_portable_library
	$(call run_tests,$(BUILD),--label-regex '^scale$$')
	@for part in package image portable; do \
	  echo "tests/check/$$part.sh"; \
	  tests/check/$$part.sh $(BUILD)/$$part || [ $$? = 77 ] || exit 1; \
	done

check-clients: wheel ## Use the outputs and the Python package with other programs, pinned or CLIENTS=newest
	tests/check/clients.sh $(BUILD)/elmo $(BUILD)/clients-venv$(addprefix -,$(CLIENTS)) $(CLIENTS) \
	  || [ $$? = 77 ]

check-all: needed ## Check everything, one line for each part; takes hours
	@JOBS=$(JOBS) tests/check/all.sh

install: build ## Install under prefix (/usr/local), below DESTDIR where it is set
	DESTDIR='$(DESTDIR)' cmake --install $(BUILD) --prefix '$(prefix)'

# Two builds of one tree are the same: its commit's time, or its changelog's, is that of all files.
portable wheel deb: export SOURCE_DATE_EPOCH ?= $(or $(shell git log -1 --format=%ct \
  2> /dev/null),$(shell stat --format=%Y CHANGELOG.md))

portable wheel: build
	$(call compile,$(BUILD)) --target elmo elmo_launcher elmo_portable_library
	$(PYTHON) cli/deploy/portable.py $@ $(BUILD) $(BUILD)

portable: ## Build build/elmo-….tar.gz, which runs on any Linux, the same bytes from the same tree
wheel: ## Build build/elmo_bilm-….whl, the same files and the Python package elmo for pip

deb: build ## Build build/deb/elmo_….deb, the same bytes from the same tree
	$(call packages,$(DEB_PACKAGES),deps-scale)
	$(call compile,$(BUILD)) --target elmo-bench
	umask 022 && cpack -G DEB --config $(BUILD)/CPackConfig.cmake -B $(BUILD)/deb

docs: needed ## Regenerate the manual page, tables and completions from the options' definitions
	$(call configure,$(BUILD))
	$(call compile,$(BUILD)) --target docs

clean: ## Remove everything that was built
	rm -rf $(BUILD)

needed:
	$(call packages,$(PACKAGES),deps)

deps deps-mpi deps-scale deps-all: SUDO = $(if $(filter 0,$(shell id -u)),,sudo)

deps: needed ## Install the Debian packages that are missing, calling sudo; root needs no such call

deps-mpi: ## The same with Open MPI
	$(call packages,$(PACKAGES) $(MPI_PACKAGES),$@)

deps-scale: ## The same with Slurm and what else check-scale runs
	$(call packages,$(PACKAGES) $(SCALE_PACKAGES),$@)

deps-all: ## The same for every target, with those for fuzzing, formatting, clang-tidy, MPI and Slurm
	$(call packages,$(PACKAGES) $(FUZZ_PACKAGES) $(FORMAT_PACKAGES) $(TIDY_PACKAGES) $(SYNTAX_PACKAGES) $(MPI_PACKAGES) \
	  $(SCALE_PACKAGES) $(CLIENT_PACKAGES),$@)

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
