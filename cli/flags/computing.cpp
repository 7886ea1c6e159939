#include "cli/flags/computing.h"

#include "cli/flags/options.h"
#include "core/error.h"

namespace elmo {
namespace {

constexpr int kMaxThreads = 1024;  // more than any machine has

}  // namespace

Option add_precision(Options app, Precision& precision, const std::string& help) {
  return add_choice(app, "--precision", precision, kPrecisions, help);
}

Option add_precision(Options app, std::optional<Precision>& precision, const std::string& help) {
  return add_choice(app, "--precision", precision, kPrecisions, help);
}

Option add_threads(Options app, int& threads) {
  return add_whole(app, "--threads", threads, "N", 1, kMaxThreads, "Number of compute threads")
      ->default_str("one per core");
}

Option add_workers(Options app, int& workers) {
  return add_whole(app, "--workers", workers, "N", 1, kMaxThreads,
                   "Jobs computed at once; they share the threads")
      ->default_str("as many as --threads");
}

Option add_memory(Options app, std::uint64_t& bytes) {
  return add_bytes(app, "--memory", bytes,
                   "Memory limit besides the model, in bytes: `512M`, `4GiB`. Less memory means "
                   "smaller batches")
      ->default_str("half of what the machine, its control group or ulimit -v allows");
}

void add_initial_state(Options app, InitialState& state, int& lanes, const std::string& group) {
  constexpr int kMostLanes = 65536;  // more than any machine can use
  add_choice(app, "--initial-state", state, kInitialStates,
             "Initial state of a sentence: `zero`; `warm`, after a fixed text; `carry`, the final "
             "state of the sentence N lanes earlier")
      ->group(group);
  add_whole(app, "--lanes", lanes, "N", 1, kMostLanes,
            "Number of parallel state lanes (--initial-state carry)")
      ->group(group);
}

void check_initial_state(const Options& app, InitialState state) {
  only_with(app, "--lanes", state == InitialState::carry, "--initial-state carry");
}

void check_workers(int threads, int workers) {
  if (threads > 0 && workers > threads) {
    throw RequestError("--workers: found " + std::to_string(workers) + ", expected at most the " +
                       std::to_string(threads) + " of --threads");
  }
}

}  // namespace elmo
