// What a training run of a biLM is asked to do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>

#include "core/model/options.h"
#include "core/model/parameters.h"
#include "core/model/softmax_layer.h"
#include "core/model/vocabulary.h"
#include "core/train/bilm/bilm_learner.h"
#include "core/train/bilm/plan.h"
#include "core/train/bilm/training_options.h"
#include "core/train/session.h"
#include "io/dtype.h"
#include "io/text/source/text_source.h"
#include "io/train/corpus_vocabulary.h"
#include "io/train/run_folder.h"

namespace elmo {

/// What a run begins with.
struct TrainingStart {
  ModelOptions model;  ///< n_tokens_vocab may be 0 where the words are not known yet
  std::optional<Parameters> parameters;  ///< none: random ones
  std::optional<Vocabulary> words;       ///< that a word-level model reads; none: new ones
  std::optional<SoftmaxLayer> softmax;   ///< to continue with; none: a new one
  bool pretrained = false;  ///< the biLM was trained: a new softmax is trained alone first
  std::string name;         ///< distinguishes starts
};

/// What is trained on, and how.
struct TrainingRequest {
  InputOptions input;
  /// Of a new softmax: counted from the text within these limits, or the words of this file.
  std::variant<VocabularyLimits, std::filesystem::path> vocabulary;
  TrainingOptions training;  ///< its plan's part is made from `plan` when the text is known
  PlanRequest plan;
};

/// Where a run leaves what, and by what it is measured.
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
