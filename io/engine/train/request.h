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
#include "io/engine/request.h"
#include "io/text/input/text_source.h"
#include "io/train/corpus.h"

namespace elmo {

struct TrainRequest {
  PresetFlags architecture;     ///< of a new model
  std::string model;            ///< the model to train further; empty: a new one
  bool new_vocabulary = false;  ///< replace the vocabulary of `model`

  InputOptions input;
  std::string vocabulary;   ///< file with the words of a new softmax; empty: counted from the text
  VocabularyLimits limits;  ///< of the counted words
  std::string valid;        ///< validation text: file or folder, read as `input` is

  TrainingOptions training;  ///< the plan in it is computed from `plan` once the text is known
  PlanRequest plan;
  SessionOptions session;
  ValidationPlan validation;
  float max_minutes = 0.0F;  ///< of this process; 0: unlimited

  std::string output;            ///< the run's folder
  std::size_t keep = 2;          ///< checkpoints
  Dtype dtype = Dtype::float32;  ///< of the model and the softmax as they are saved
  bool resume = false;
  bool overwrite = false;
  bool plot = false;
  bool quiet = false;
  bool dry_run = false;
  bool json = false;  ///< a dry run prints JSON

  GivenOptions given;
};

/// Throws RequestError for options that are missing or cannot be combined.
void validate(const TrainRequest& request);

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

/// Reads the requested model or architecture. Sets what depends on it in the request: tokenizer,
/// maximum number of words, default learning rate. Errors: as locate_model, load_model,
/// read_softmax and choose_tokenizer; RequestError for a model that cannot be trained or for
/// options that have no effect on it; InputError for a word-level model without words.
TrainingStart training_start(TrainRequest& request, RunListener& listener);

}  // namespace elmo
