# Front end to CMake. `make help` lists the targets.

BUILD ?= build
JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 20
prefix ?= /usr/local

# Debian packages: what building and testing need, and what single targets need beside it. OpenCL is
# asked for by oneDNN's CMake files only.
PACKAGES = g++ cmake ninja-build pkgconf libdnnl-dev ocl-icd-opencl-dev libicu-dev libhdf5-dev \
  libarchive-dev zlib1g-dev libcli11-dev nlohmann-json3-dev libhwy-dev libxxhash-dev doctest-dev \
  python3 python3-h5py
FUZZ_PACKAGES = clang libclang-rt-dev libomp-dev
FORMAT_PACKAGES = clang-format-14
TIDY_PACKAGES = clang-14 clang-tidy-14 libomp-14-dev

comma := ,
CMAKE_FLAGS = -G Ninja $(if $(shell command -v ccache),-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)

# $(call install_packages,PACKAGES): installs the missing ones. Without dpkg it does nothing: CMake
# then names what it does not find.
define install_packages
@command -v dpkg-query > /dev/null || exit 0; \
missing=; \
for package in $(1); do \
  dpkg-query --show --showformat '$${db:Status-Status}\n' $$package 2> /dev/null \
    | grep -qx installed || missing="$$missing $$package"; \
done; \
[ -n "$$missing" ] || exit 0; \
as_root=; \
if [ "$$(id -u)" != 0 ]; then \
  command -v sudo > /dev/null || { echo "As root, install:$$missing" >&2; exit 1; }; \
  as_root=sudo; \
fi; \
echo "Installing:$$missing"; \
apt_get() { \
  $$as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y "$$@" < /dev/null; \
}; \
fetch() { apt_get install --no-install-recommends $$missing; }; \
fetch 2> /dev/null || { apt_get update && fetch; }
endef

# $(call configure,FOLDER,OPTIONS): once; from then on the build configures itself anew where needed.
configure = @[ -f $(1)/build.ninja ] || cmake $(CMAKE_FLAGS) -S . -B $(1) $(2)
compile = cmake --build $(1) --parallel $(JOBS)
run_tests = ctest --test-dir $(1) --output-on-failure --no-tests=error --parallel $(JOBS)

.PHONY: all build test demo bench asan tsan fuzz format tidy install clean help deps

all: build

build: deps ## Build build/elmo (the default)
	$(call configure,$(BUILD))
	$(call compile,$(BUILD)) --target elmo

test: deps ## Build everything and run every test
	$(call configure,$(BUILD))
	$(call compile,$(BUILD))
	$(call run_tests,$(BUILD))

demo: build ## Embed short texts, show what was written and what it means
	@sh cli/demo/run.sh $(BUILD)/elmo $(BUILD)/demo

bench: deps ## Measure the tool beside what this machine can do, with BENCH_FLAGS
	$(call configure,$(BUILD))
	$(call compile,$(BUILD)) --target elmo
	@for precision in $$($(BUILD)/elmo info | sed -n 's/,//g; s/^precisions *\(.*\) on this CPU$$/\1/p'); do \
	  echo "elmo bench --precision $$precision $(BENCH_FLAGS)"; \
	  $(BUILD)/elmo bench --precision $$precision $(BENCH_FLAGS) || exit; \
	done

asan: deps ## Run every test under the address and undefined-behaviour sanitizers
	$(call configure,$(BUILD)/asan,-DELMO_SANITIZE=address$(comma)undefined)
	$(call compile,$(BUILD)/asan)
	$(call run_tests,$(BUILD)/asan)

tsan: deps ## Run every test under the thread sanitizer
	$(call configure,$(BUILD)/tsan,-DELMO_SANITIZE=thread)
	$(call compile,$(BUILD)/tsan)
	TSAN_OPTIONS=suppressions=$(CURDIR)/tests/tsan.supp $(call run_tests,$(BUILD)/tsan)

fuzz: deps ## Run every fuzzer, each for FUZZ_SECONDS (20)
	$(call install_packages,$(FUZZ_PACKAGES))
	$(call configure,$(BUILD)/fuzz,-DCMAKE_CXX_COMPILER=clang++ -DELMO_FUZZ=ON)
	$(call compile,$(BUILD)/fuzz) --target fuzzers
	@set -e; for fuzzer in $(BUILD)/fuzz/tests/fuzz/fuzz_*; do \
	  [ -x $$fuzzer ] && [ -f $$fuzzer ] || continue; \
	  echo "$$fuzzer"; \
	  mkdir -p $$fuzzer.corpus; \
	  $$fuzzer -max_total_time=$(FUZZ_SECONDS) -artifact_prefix=$$fuzzer.found- $$fuzzer.corpus; \
	done

format: ## Format every source file
	$(call install_packages,$(FORMAT_PACKAGES))
	clang-format-14 -i $$(find core io cli tests -name '*.cpp' -o -name '*.h')

tidy: deps ## Run clang-tidy over every source file
	$(call install_packages,$(TIDY_PACKAGES))
	$(call configure,$(BUILD)/tidy,-DCMAKE_CXX_COMPILER=clang++-14)
	run-clang-tidy-14 -quiet -p $(BUILD)/tidy -j $(JOBS)

install: build ## Install under prefix (/usr/local), below DESTDIR where it is set
	DESTDIR='$(DESTDIR)' cmake --install $(BUILD) --prefix '$(prefix)'

clean: ## Remove everything that was built
	rm -rf $(BUILD)

deps: ## Install the Debian packages that are missing; the targets that build do so themselves
	$(call install_packages,$(PACKAGES))

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
