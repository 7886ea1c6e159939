// Activations of labeled data: computed once, kept as shards, read repeatedly.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "core/inference/activations.h"
#include "core/inference/embed.h"
#include "core/inference/sentence.h"
#include "core/kernels/precision.h"
#include "core/model/bilm.h"
#include "io/dtype.h"
#include "io/engine/listener.h"
#include "io/engine/model.h"
#include "io/model/model.h"
#include "io/shard/manifest.h"
#include "io/text/segment/normalization.h"

namespace elmo {

/// How activations are computed and kept. Options that are not given are taken from the model's
/// first run in the folder.
struct FeatureOptions {
  ModelSpec model;
  std::optional<Precision> precision;  ///< nothing: as in that run, otherwise float32
  std::optional<Dtype> dtype;          ///< stored type; nothing: as in that run, otherwise float16
  int threads = 0;                     ///< 0: one per core
  std::string folder;                  ///< empty: the command's own folder
  Normalization normalization = Normalization::none;  ///< of the texts' tokens
};

/// The dtype of newly computed activations.
inline Dtype new_dtype(const FeatureOptions& options) {
  return options.dtype.value_or(Dtype::float16);
}

/// "stopped; use features to keep activations", or how those in the folder are used.
Message stopped_text(const FeatureOptions& options);

/// Throws RequestError if the file `output`, given by `setting`, lies in a run of the folder of
/// activations. Empty names are ignored.
void require_outside_runs(Setting setting, const std::string& output, const std::string& folder);

/// Computes the activations of a task with its biLM, and keeps them in a folder. One thread.
class FeatureStore {
 public:
  /// `folder` has a run for each input, all of one dtype and precision. `stop` ends computing.
  /// `listener` and `stop` must outlive this.
  FeatureStore(LoadedModel model, const FeatureOptions& options, std::filesystem::path folder,
               RunListener& listener, const std::atomic<bool>& stop);

  const ModelOptions& options() const { return loaded_.options; }
  const std::string& fingerprint() const { return loaded_.fingerprint; }
  Dtype dtype() const { return new_dtype(options_); }
  Precision precision() const { return options_.precision.value_or(Precision::float32); }

  /// Returns the activations of `sentences`, which are read to the end, in all layers (x,
  /// forward_1, backward_1, …). Sentence k of the result is the k-th of `sentences`, with the same
  /// tokens. `tokens` is their number of tokens. Reads the run in the folder `name`, and first
  /// completes it if it is incomplete. If there is no run, computes one and keeps it. Returns null
  /// if `stop` became true; shards published by then are kept. Errors: InputError for a run of
  /// another model, of other layers, of other sentences, or of another precision or dtype;
  /// otherwise as embed() and ShardRun.
  std::unique_ptr<ActivationSource> open(const std::string& name, SentenceSource& sentences,
                                         std::uint64_t tokens);

 private:
  /// Takes the options that are not given from the first run of the model.
  void complete_options();
  bool compute(const std::filesystem::path& folder, const std::optional<Manifest>& kept,
               SentenceSource& sentences, std::uint64_t tokens);
  const Bilm& bilm();

  FeatureOptions options_;
  std::filesystem::path folder_;
  RunListener& listener_;
  const std::atomic<bool>& stop_;
  LoadedModel loaded_;  // without parameters after bilm() was called
  std::optional<Bilm> bilm_;
};

}  // namespace elmo
