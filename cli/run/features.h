// Activations of labelled data: computed once, kept as shards, read as often as it takes.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "cli/flags/features.h"
#include "cli/report/report.h"
#include "core/inference/activation_source.h"
#include "core/inference/embed.h"
#include "core/inference/source.h"
#include "core/model/bilm.h"
#include "io/model/model.h"

namespace elmo {

/// The biLM that a task's activations come from, and the folder where they are kept. One thread.
class FeatureStore {
 public:
  /// Loads the model; errors as locate_model and load_model. `folder` has a run for each input;
  /// `stop` ends computing.
  FeatureStore(const FeatureFlags& flags, std::filesystem::path folder,
               const std::atomic<bool>& stop);

  const ModelOptions& options() const { return loaded_.options; }
  const std::string& fingerprint() const { return loaded_.fingerprint; }
  const LoadedModel& loaded() const {
    return loaded_;
  }  ///< without parameters, once bilm() was
     ///< called

  /// The activations of `sentences`, which are read to their end: sentence k of the source is the
  /// k-th of them, with the same tokens, all layers (x, forward_1, backward_1, …). Read from the
  /// run in the folder `name` where there is one, continued where it has not ended, computed and
  /// kept there where there is none. Null where `stop` became true; what is published by then is
  /// kept. InputError for a run of another model, of other layers or of other sentences; else as
  /// embed() and ShardRun.
  std::unique_ptr<ActivationSource> open(const std::string& name, SentenceSource& sentences);

  /// The model, ready to compute what open() does. RequestError as Bilm.
  const Bilm& bilm();
  /// How open() computes, but for what only shards have.
  EmbedOptions embed_options() const;

 private:
  bool compute(const std::filesystem::path& folder, SentenceSource& sentences);

  const FeatureFlags& flags_;
  std::filesystem::path folder_;
  const std::atomic<bool>& stop_;
  Report report_;
  LoadedModel loaded_;
  std::optional<Bilm> bilm_;
};

}  // namespace elmo
