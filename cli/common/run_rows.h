// The rows of a published run, with its layers unchanged or mixed, and the message of a run that
// stopped.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/common/human.h"
#include "cli/common/listener.h"
#include "cli/common/task_mix.h"
#include "core/inference/activations.h"
#include "core/inference/output_layers.h"
#include "io/dtype.h"
#include "io/shard/run_reader.h"

namespace elmo {

/// "3 shards published; repeat the command with --resume to continue"
inline std::string published_text(std::uint64_t shards) {
  return human_count(shards, "shard") + " published; repeat the command with --resume to continue";
}

/// One thread. Errors: as RunReader.
class RunRows {
 public:
  /// Without `mixing`, the rows are unchanged. Errors: InputError if the run is incomplete; with
  /// `mixing`, also if it lacks layers or tokens, and as mixing_of_run.
  RunRows(const std::string& run, const std::optional<LayerMixing>& mixing);

  const Manifest& manifest() const { return from_.manifest(); }
  std::uint64_t tokens() const { return from_.token_count(); }
  std::uint64_t sentences() const { return from_.sentence_end(); }

  /// The layout of the rows that hand_over() writes.
  const ActivationLayout& layout() const { return layout_; }
  /// How the layers become one row. `layers` is all if they are not mixed.
  const EmbedOptions& mixing() const { return mixing_; }
  bool mixed() const { return mixing_.layers != LayerSelection::all; }

  /// Writes the sentences [begin, end) to `sink`, which stores numbers of `dtype`. `end` must be
  /// the end of a shard. `output` is its name in the progress. Returns false if `stop` became true.
  /// NumericError for a number that the dtype cannot hold.
  bool hand_over(std::uint64_t begin, std::uint64_t end, ActivationSink& sink, Dtype dtype,
                 const std::string& output, RunListener& listener, const std::atomic<bool>& stop);
  /// Tokens written so far.
  std::uint64_t handed_over() const { return handed_over_; }

 private:
  RunReader from_;
  EmbedOptions mixing_;
  LayerWeights weights_;
  ActivationLayout layout_;
  ActivationBlock block_;
  std::vector<float> mixed_;
  std::uint64_t handed_over_ = 0;
};

}  // namespace elmo
