// Mixtures of layers, by options or as a task model has learned them; the rows of a published run,
// with its layers unchanged or mixed; and runs that are mixed without computing the biLM again.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/inference/activations.h"
#include "core/inference/embed.h"
#include "core/inference/options.h"
#include "core/inference/output_layers.h"
#include "io/dtype.h"
#include "io/engine/listener.h"
#include "io/files/atomic_file.h"
#include "io/h5/types.h"
#include "io/shard/manifest.h"
#include "io/shard/run_reader.h"

namespace elmo {

/// The mixture of a task model to use.
struct TaskMixRequest {
  std::string task;   ///< the task model's folder; empty: none
  std::string place;  ///< "input" or "output"; empty: the only one
};

/// Mixture of layers into one row.
struct LayerMixing {
  /// With the weights of a task model, `mix_weights` are the logarithms of the learned shares.
  EmbedOptions options;
  std::string task;        ///< the folder of the task model; empty if the options say how
  std::string bilm;        ///< fingerprint of the biLM whose layers the task model mixes
  std::string bilm_words;  ///< see bilm_words(const TaskDescription&)
};

/// Returns `options`, with the mixture of the task model that `request` names, if any. Errors:
/// InputError as read_task_description, and if the task model uses no biLM; RequestError if `place`
/// is empty and there are two mixtures, or if the model has no mixture at `place`.
LayerMixing layer_mixing(EmbedOptions options, const TaskMixRequest& request);

/// Throws InputError, naming `what`, if its activations come from another model than the one of a
/// learned mixture. `model`: the fingerprint of their model.
void check_bilm(const LayerMixing& mixing, const Message& what, const std::string& model);

/// "3 shards published; repeat the command with resume to continue"
Message published_text(std::uint64_t shards);

/// The rows of a published run. One thread. Errors: as RunReader.
class RunRows {
 public:
  /// Without `mixing`, the rows are unchanged. InputError if the run is incomplete; with `mixing`,
  /// also if it lacks layers or tokens, and as check_bilm. RequestError if the number of weights
  /// differs from the run's number of layers.
  RunRows(const std::string& run, const std::optional<LayerMixing>& mixing);

  const Manifest& manifest() const { return from_.manifest(); }
  std::uint64_t tokens() const { return from_.token_count(); }
  std::uint64_t sentences() const { return from_.sentence_end(); }

  /// The layout of the rows that hand_over() writes.
  const ActivationLayout& layout() const { return layout_; }
  /// Returns how the layers become one row, and whether the run has boundaries. `layers` is all if
  /// they are not mixed.
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

struct MixRequest {
  std::string run;             ///< folder of a run with all layers
  std::string output;          ///< folder of the shards
  EmbedOptions mixing;         ///< weights, gamma and layer normalization, without `task`
  TaskMixRequest task;         ///< the task model of the mixture
  std::optional<Dtype> dtype;  ///< nothing: the run's
  h5::Compression compression = h5::Compression::none;
  RunMode mode = RunMode::create;
};

struct MixOutcome {
  bool stopped = false;
  std::uint64_t shards = 0;          ///< published
  std::uint64_t tokens = 0;          ///< mixed, by this process or before
  std::uint64_t earlier_tokens = 0;  ///< part of `tokens`: mixed before
};

/// Mixes the run shard by shard, until `stop` is true. Errors: as RunRows and ShardRun, but a
/// SystemError also says what is published; RequestError for an output that is the run itself;
/// InputError if the folder was begun with another run.
MixOutcome run_mix(const MixRequest& request, RunListener& listener, const std::atomic<bool>& stop);

}  // namespace elmo
