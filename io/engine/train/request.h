// The request to train a biLM, as `elmo train` and `elmo finetune` make it, and the state that its
// run starts from.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "core/model/options.h"
#include "core/model/parameters.h"
#include "core/model/vocabulary.h"
#include "core/train/bilm/bilm_learner.h"
#include "core/train/bilm/training_options.h"
#include "core/train/session.h"
#include "io/dtype.h"
#include "io/engine/listener.h"
#include "io/engine/model.h"
#include "io/text/input/input_options.h"
#include "io/train/corpus.h"

namespace elmo {

struct TrainRequest {
  ArchitectureSpec architecture;  ///< architecture of a new model
  std::string model;              ///< the model to train further; empty: a new one
  bool new_vocabulary = false;    ///< replace the vocabulary of `model`

  InputOptions input;
  std::string vocabulary;   ///< file with the words of a new softmax; empty: counted from the text
  VocabularyLimits limits;  ///< limits for counted words
  std::string valid;        ///< validation text: file or folder, read as `input` is

  TrainingOptions training;  ///< the plan in it is computed from `plan` once the text is known
  PlanRequest plan;
  SessionOptions session;
  ValidationPlan validation;
  float max_minutes = 0.0F;  ///< maximum for this process; 0: unlimited

  std::string output;            ///< the run's folder
  std::size_t keep = 2;          ///< number of checkpoints to keep
  Dtype dtype = Dtype::float32;  ///< stored type of the saved model and softmax
  bool resume = false;
  bool overwrite = false;
};

/// The initial state of a run, and the settings that depend on its model.
struct TrainingStart {
  InputOptions reading;     ///< how the training text is read, with the model's tokenizer
  PlanRequest plan;         ///< includes the model's default learning rate
  VocabularyLimits limits;  ///< includes the model's maximum number of words

  ModelOptions model;                    ///< n_tokens_vocab may be 0 if the words are not known yet
  std::optional<Parameters> parameters;  ///< nothing: random ones
  std::optional<Vocabulary> words;       ///< input words of a word-level model; nothing: new ones
  std::optional<SoftmaxLayer> softmax;   ///< softmax to train further; nothing: a new one
  /// A new softmax over a new vocabulary takes from `softmax` only the words that both have.
  bool new_vocabulary = false;
  bool pretrained = false;  ///< the biLM was trained; a new softmax is first trained alone
  std::string name;         ///< distinguishes starts
};

/// Reads the requested model or architecture. Errors: as locate_model, load_model, read_softmax,
/// choose_tokenizer and model_options; RequestError for a model that cannot be trained or for
/// settings that have no effect on it; InputError for a word-level model without words.
TrainingStart training_start(const TrainRequest& request, RunListener& listener);

}  // namespace elmo
