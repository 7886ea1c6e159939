// The texts of a training run, and its data once the text is known.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/model/options.h"
#include "core/model/parameters.h"
#include "core/model/vocabulary.h"
#include "core/train/bilm/lanes.h"
#include "core/train/bilm/training_options.h"
#include "io/engine/listener.h"
#include "io/engine/train/request.h"
#include "io/text/input/text_source.h"
#include "io/train/corpus.h"

namespace elmo {

// `reading`: TrainingStart::reading.

/// Returns the options to read the validation text like the training text.
InputOptions validation_input(const TrainRequest& request, const InputOptions& reading);

/// Throws RequestError if the validation text can be read only once, and InputError if it has no
/// token to predict. Other errors: as open_source.
void check_validation(const TrainRequest& request, const InputOptions& reading);

/// Returns the training text from the file at `path`. Creates this file if it is missing or of
/// another text, or if a run is replaced. Returns nothing if `stop` became true. Errors: as
/// open_source and encode_corpus.
std::optional<EncodedCorpus> encoded_corpus(const TrainRequest& request,
                                            const InputOptions& reading,
                                            const std::filesystem::path& path,
                                            RunListener& listener, const std::atomic<bool>& stop);

/// Returns, on another rank, the text that rank 0 encoded in the folder of the run. SystemError if
/// it is missing or of another text.
EncodedCorpus corpus_of_rank_0(const TrainRequest& request, const InputOptions& reading);

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
