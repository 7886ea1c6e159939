// Folder of a training run and its contents.
//
//   DIR/corpus.tokens    the tokenized text (io/train/corpus.h)
//   DIR/checkpoints/     checkpoints to resume from (io/train/checkpoint.h)
//   DIR/progress.jsonl   losses and perplexities (io/train/metrics_log.h)
//   DIR/curves.svg       plot of progress.jsonl
//   DIR/options.json …   the model at the last validation (io/model/save.h)
#pragma once

#include <filesystem>
#include <string>

#include "io/files/atomic_file.h"

namespace elmo {

inline constexpr const char* kCorpusFile = "corpus.tokens";
inline constexpr const char* kMetricsFile = "progress.jsonl";
inline constexpr const char* kCurvesFile = "curves.svg";

/// Returns the name of what a training run has written to the folder, its log or its checkpoints.
/// Empty if the folder holds no run.
std::string training_run_in(const std::filesystem::path& folder);

/// RequestError if the run has no checkpoint. The folder must hold the run's model, which training
/// would otherwise replace by starting over.
void require_checkpoint(const std::filesystem::path& folder);

/// RequestError if the folder holds a run and `mode` is create, a model that no run there made and
/// `mode` is not overwrite, or, to resume, a model without a checkpoint; also as
/// require_no_other_model. The folder may be missing.
void check_run_folder(const std::filesystem::path& folder, RunMode mode);

/// Removes the run and the model in the folder, but keeps the encoded text. SystemError if
/// something cannot be removed.
void remove_run(const std::filesystem::path& folder);

}  // namespace elmo
