// Activations of labeled data: computed once, kept as shards, read as often as it takes.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "cli/run/listener.h"
#include "core/inference/activation_source.h"
#include "core/inference/embed.h"
#include "core/inference/source.h"
#include "core/kernels/precision.h"
#include "core/model/bilm.h"
#include "io/dtype.h"
#include "io/model/model.h"
#include "io/shard/manifest/manifest.h"

namespace elmo {

/// How activations are computed and kept; what is not given is as in the run that is there.
struct FeatureOptions {
  std::optional<Precision> precision;  ///< nothing: that of the run, or float32
  std::optional<Dtype> dtype;          ///< as they are kept; nothing: that of the run, or float16
  int threads = 0;                     ///< 0: one a core
};

/// The type of activations that are computed anew.
inline Dtype new_dtype(const FeatureOptions& options) {
  return options.dtype.value_or(Dtype::float16);
}

/// The biLM that a task's activations come from, and the folder where they are kept. One thread.
class FeatureStore {
 public:
  /// `folder` has a run for each input; `stop` ends computing. `listener` and `stop` have to
  /// outlive it.
  FeatureStore(LoadedModel model, const FeatureOptions& options, std::filesystem::path folder,
               RunListener& listener, const std::atomic<bool>& stop);

  const ModelOptions& options() const { return loaded_.options; }
  const std::string& fingerprint() const { return loaded_.fingerprint; }

  /// The activations of `sentences`, which are read to their end: sentence k of the source is the
  /// k-th of them, with the same tokens, all layers (x, forward_1, backward_1, …). Read from the
  /// run in the folder `name` where there is one, continued where it has not ended, computed and
  /// kept there where there is none; `tokens` is their number. Null where `stop` became true; what
  /// is published by then is kept. InputError for a run of another model, of other layers, of
  /// other sentences, or of another precision or type than was asked for; else as embed() and
  /// ShardRun.
  std::unique_ptr<ActivationSource> open(const std::string& name, SentenceSource& sentences,
                                         std::uint64_t tokens);

 private:
  bool compute(const std::filesystem::path& folder, const std::optional<Manifest>& kept,
               SentenceSource& sentences, std::uint64_t tokens);
  const Bilm& bilm();
  Precision precision() const { return options_.precision.value_or(Precision::float32); }

  FeatureOptions given_;
  FeatureOptions options_;  // and where they leave it open, those of the first run that was there
  std::filesystem::path folder_;
  RunListener& listener_;
  const std::atomic<bool>& stop_;
  LoadedModel loaded_;  // without parameters, once bilm() was called
  std::optional<Bilm> bilm_;
};

}  // namespace elmo
