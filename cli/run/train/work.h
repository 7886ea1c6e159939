// The parts of a training run, once its text is known.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/run/train/request.h"
#include "core/model/options.h"
#include "core/model/parameters.h"
#include "core/model/softmax_layer.h"
#include "core/model/vocabulary.h"
#include "core/train/bilm/corpus.h"
#include "core/train/bilm/training_options.h"
#include "io/train/corpus_file.h"

namespace elmo {

/// The same on every rank. Parameters and softmax are moved out of it into the trainer.
struct TrainingWork {
  ModelOptions model;
  Parameters parameters;
  std::optional<Vocabulary> words;  ///< of a word-level model
  SoftmaxLayer softmax;
  TrainingOptions options;
  std::vector<std::int32_t> targets;  ///< as in Corpus
  std::vector<std::int32_t> rows;

  /// Returns a view of the text and of this, which both must outlive it.
  Corpus corpus(const EncodedCorpus& encoded) const;
  const Vocabulary* read_words() const { return words ? &*words : nullptr; }
};

/// Fills in what depends on the text: the plan, a new softmax and its vocabulary, and random
/// parameters. A new word-level model reads the same vocabulary. Errors: as new_softmax and
/// planned.
TrainingWork make_work(const TrainingRequest& request, TrainingStart start,
                       const EncodedCorpus& encoded);

/// Returns two lines that describe `work`. Call it before the parameters are moved.
std::vector<std::string> lines_of(const TrainingWork& work, const EncodedCorpus& encoded);

}  // namespace elmo
