// The request to train a biLM, as `elmo train` and `elmo finetune` make it, the state that its run
// starts from, the texts of the run, and its data once the text is known.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/model/options.h"
#include "core/model/parameters.h"
#include "core/model/vocabulary.h"
#include "core/train/bilm/bilm_learner.h"
#include "core/train/bilm/lanes.h"
#include "core/train/bilm/training_options.h"
#include "core/train/session.h"
#include "io/dtype.h"
#include "io/engine/listener.h"
#include "io/engine/model.h"
#include "io/text/input/input_options.h"
#include "io/text/input/text_source.h"
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
  /// Train a new softmax over a new vocabulary. Words that `softmax` has, too, begin with its rows.
  bool new_vocabulary = false;
  bool pretrained = false;  ///< the biLM was trained; a new softmax is first trained alone
  std::string name;         ///< for the provenance: "random", or "model " and its fingerprint
};

/// Reads the requested model or architecture. Errors: as locate_model, load_model, read_softmax,
/// choose_tokenizer and model_options; RequestError for a model that cannot be trained or for
/// settings that have no effect on it; InputError for a word-level model without words.
TrainingStart training_start(const TrainRequest& request, RunListener& listener);

// `reading`: TrainingStart::reading.

/// Returns the options to read the validation text like the training text.
InputOptions validation_input(const TrainRequest& request, const InputOptions& reading);

/// Throws RequestError if the validation text can be read only once, and InputError if it has no
/// token to predict. Other errors: as open_source.
void check_validation(const TrainRequest& request, const InputOptions& reading);

/// Returns the training text from the file at `path`. If this file is missing or of another text,
/// or if a run is replaced, encodes the text; its file is not published yet. Returns nothing if
/// `stop` became true. Errors: as open_source and encode_corpus.
std::optional<EncodedCorpus> encoded_corpus(const TrainRequest& request,
                                            const InputOptions& reading,
                                            const std::filesystem::path& path,
                                            RunListener& listener, const std::atomic<bool>& stop);

/// Returns, on another rank, the text that rank 0 has in the file `path`. SystemError if it is
/// missing or of another text.
EncodedCorpus corpus_of_rank_0(const TrainRequest& request, const InputOptions& reading,
                               const std::filesystem::path& path);

/// The same on every rank. Parameters and softmax are moved out of it into the trainer.
struct TrainingWork {
  ModelOptions model;
  Parameters parameters;
  std::optional<Vocabulary> words;  ///< words of a word-level model
  SoftmaxLayer softmax;
  TrainingOptions options;
  std::vector<std::int32_t> targets;  ///< see Corpus
  std::vector<std::int32_t> rows;
  std::string start;     ///< TrainingStart::name
  InputOptions reading;  ///< how the text is read

  /// Returns a view of the text and of this, which both must outlive it.
  Corpus corpus(const EncodedCorpus& encoded) const;
  const Vocabulary* read_words() const { return words ? &*words : nullptr; }
};

/// Fills in everything that depends on the text: the plan, a new softmax and its vocabulary, and
/// random parameters. A new word-level model reads the same vocabulary. Errors: as planned and
/// training_view; InputError for an invalid vocabulary.
TrainingWork make_work(const TrainRequest& request, TrainingStart start,
                       const EncodedCorpus& encoded);

/// Returns two lines that describe `work`. Call it before the parameters are moved.
std::vector<std::string> lines_of(const TrainingWork& work, const EncodedCorpus& encoded);

}  // namespace elmo
