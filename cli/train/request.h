// The request to train a biLM.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>

#include "core/model/options.h"
#include "core/model/parameters.h"
#include "core/model/vocabulary.h"
#include "core/train/bilm/bilm_learner.h"
#include "core/train/bilm/training_options.h"
#include "core/train/session.h"
#include "io/dtype.h"
#include "io/text/source/text_source.h"
#include "io/train/corpus.h"
#include "io/train/run_folder.h"

namespace elmo {

/// The initial state of a run.
struct TrainingStart {
  ModelOptions model;                    ///< n_tokens_vocab may be 0 if the words are not known yet
  std::optional<Parameters> parameters;  ///< nothing: random ones
  std::optional<Vocabulary> words;       ///< input words of a word-level model; nothing: new ones
  std::optional<SoftmaxLayer> softmax;   ///< to continue with; nothing: a new one
  /// A new softmax over a new vocabulary takes from `softmax` only the words that both have.
  bool new_vocabulary = false;
  bool pretrained = false;  ///< the biLM was trained; a new softmax is first trained alone
  std::string name;         ///< distinguishes starts
};

/// The training data and options.
struct TrainingRequest {
  InputOptions input;
  /// The vocabulary of a new softmax: counted from the text within these limits, or the words of
  /// this file.
  std::variant<VocabularyLimits, std::filesystem::path> vocabulary;
  TrainingOptions training;  ///< the plan in it is computed from `plan` once the text is known
  PlanRequest plan;
};

/// The output and the validation of a run.
struct TrainingRun {
  std::filesystem::path folder;
  ExistingRun existing = ExistingRun::refused;
  std::string valid;  ///< file or folder, read as the input is
  SessionOptions session;
  ValidationPlan validation;
  std::size_t keep = 2;          ///< checkpoints
  Dtype dtype = Dtype::float32;  ///< of the model and the softmax as they are saved
};

}  // namespace elmo
