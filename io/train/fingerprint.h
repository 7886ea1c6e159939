// What a training run's numbers depend on.
#pragma once

#include <string>

#include "core/model/options.h"
#include "core/model/vocabulary.h"
#include "core/train/bilm/training_options.h"
#include "io/fingerprint.h"

namespace elmo {

/// The model's shape, each training option but the number of threads, the vocabulary and the corpus
/// (`corpus` stands for its text and how that was read), and the words that a word-level model
/// reads. The caller adds what else matters. With an
/// equal fingerprint, and as many threads, a run resumes from a checkpoint to the same numbers.
RunFingerprint training_fingerprint(const ModelOptions& model, const TrainingOptions& training,
                                    const Vocabulary& vocabulary, const std::string& corpus,
                                    const Vocabulary* words = nullptr);

/// The same with how many ranks train and with how many threads each, which the bits depend on.
/// Ranks are named where there are several.
RunFingerprint with_ranks(RunFingerprint settings, int ranks, int threads);

/// fingerprint_difference() of two runs, of which one may resume from the other's checkpoint. With
/// another number of ranks it continues to numbers that are the same within rounding only, so that
/// their threads may differ too.
std::string training_difference(RunFingerprint before, RunFingerprint now);

}  // namespace elmo
