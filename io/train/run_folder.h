// Folder of a training run and its contents.
//
//   DIR/corpus.tokens    the tokenized text (io/train/corpus.h)
//   DIR/checkpoints/     checkpoints to resume from (io/train/checkpoint.h)
//   DIR/progress.jsonl   losses and perplexities (io/train/metrics_log.h)
//   DIR/curves.svg       plot of progress.jsonl
//   DIR/options.json …   the model at the last validation (io/model/save.h)
//
// Also what a run in such a folder needs: how to save its model, its clock, and its validation.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "core/train/bilm/bilm_learner.h"
#include "core/train/bilm/training_options.h"
#include "core/train/session.h"
#include "io/dtype.h"
#include "io/files/atomic_file.h"
#include "io/text/formats/tokenizer_description.h"
#include "io/text/input/text_source.h"

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

/// Returns what saves the model of a run, with its softmax and the description of the tokenizer.
/// `words`, the words that a word-level model reads, or null, must outlive the result. A
/// language.json next to the model is kept. Errors of a call: as save_model and ModelFile::content.
std::function<void(const Trainer&)> model_saver(std::filesystem::path folder, Dtype dtype,
                                                TokenizerDescription tokenizer,
                                                const Vocabulary* words);

/// Returns a clock of the seconds since this call, for sessions.
std::function<double()> start_clock();

/// Returns what opens the text again for each validation and computes perplexity as `elmo
/// perplexity` does, with the initial state of the training options. `words`, the words that a
/// word-level model reads, or null, must outlive the result. `written` as in ReadingControl. Errors
/// of a call: as open_source and perplexity.
decltype(BilmServices::validate) text_validator(InputOptions input, const std::string& written,
                                                const TrainingOptions& options,
                                                const Vocabulary* words);

}  // namespace elmo
