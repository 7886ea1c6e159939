// Provenance of a training run: everything that its numbers depend on.
#pragma once

#include <string>

#include "core/model/options.h"
#include "core/model/vocabulary.h"
#include "core/train/bilm/training_options.h"
#include "io/provenance.h"

namespace elmo {

/// The model's shape, each training option except the number of threads, the vocabulary, the corpus
/// (`corpus` identifies its text and how that was read), and the words that a word-level model
/// reads. The caller adds everything else that matters. With an equal provenance and the same
/// number of threads, a run resumed from a checkpoint yields the same numbers.
Provenance training_provenance(const ModelOptions& model, const TrainingOptions& training,
                               const Vocabulary& vocabulary, const std::string& corpus,
                               const Vocabulary* words = nullptr);

/// Adds the number of ranks and of threads per rank, which the bits depend on. Ranks are only
/// included if there are several.
Provenance with_ranks(Provenance settings, int ranks, int threads);

/// Compares two runs, one of which resumes from the other's checkpoint, like
/// provenance_difference(), except their ranks and threads, with which numbers differ by rounding,
/// and revisions of a task's tokenizer that split nearly alike: it is for new text.
Message training_difference(Provenance before, Provenance now);

/// Compares the ranks and threads of two such runs: "1 thread instead of 2 threads". Empty if they
/// are equal.
std::string shares_difference(const Provenance& before, const Provenance& now);

}  // namespace elmo
