// The folder of a training run, and what a session keeps in it.
//
//   DIR/corpus.tokens    the text, read and split once (io/train/corpus_file.h)
//   DIR/checkpoints/     what a run continues from (io/train/checkpoint.h)
//   DIR/progress.jsonl   losses and perplexities (io/train/metrics_log.h)
//   DIR/curves.svg       the same, drawn
//   DIR/options.json …   the model as of the last validation (io/model/save.h)
#pragma once

#include <chrono>
#include <filesystem>

#include "core/train/bilm/bilm_learner.h"
#include "core/train/session.h"
#include "io/dtype.h"
#include "io/text/formats/tokenizer_description.h"

namespace elmo {

inline constexpr const char* kCorpusFile = "corpus.tokens";
inline constexpr const char* kMetricsFile = "progress.jsonl";
inline constexpr const char* kCurvesFile = "curves.svg";

/// What a run does with one that its folder holds already.
enum class ExistingRun { refused, resumed, replaced };

/// RequestError if a run has no checkpoint, for a folder that holds its model: training would
/// begin anew over it.
void require_checkpoint(const std::filesystem::path& folder);

/// Makes the folder where it is missing. RequestError where it holds a run that is to be refused,
/// a model that no run there made and that is not to be replaced, or a model of a run to be resumed
/// that has no checkpoint. SystemError where it cannot be made.
void prepare_run_folder(const std::filesystem::path& folder, ExistingRun existing);

/// Removes the run and the model that the folder holds; what is encoded of the text is kept.
/// SystemError where something cannot be removed.
void remove_run(const std::filesystem::path& folder);

/// The model of a run, with its softmax and the description of the tokenizer; `words`, which have
/// to outlive it, are those that a word-level model reads. A language.json that was put beside the
/// model stays there. Errors: as save_model and read_model_file.
class RunModel final : public ModelStore {
 public:
  RunModel(std::filesystem::path folder, Dtype dtype, TokenizerDescription tokenizer,
           const Vocabulary* words = nullptr);
  void save(const Trainer& trainer) override;

 private:
  std::filesystem::path folder_;
  Dtype dtype_;
  TokenizerDescription tokenizer_;
  const Vocabulary* words_;
};

/// The system's steady clock, from when it is made.
class SteadyClock final : public Clock {
 public:
  double seconds() override {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace elmo
