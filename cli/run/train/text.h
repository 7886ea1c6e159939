// The training text and the validation text of a run.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "cli/run/listener.h"
#include "cli/run/train/request.h"
#include "core/model/softmax_layer.h"
#include "io/text/source/text_source.h"
#include "io/train/corpus_file.h"

namespace elmo {

/// Returns the options to read the text `valid` like `input`.
InputOptions validation_input(InputOptions input, const std::string& valid);

/// Throws RequestError if the text `valid` can be read only once, and InputError if it has no token
/// to predict. Other errors: as open_source.
void check_validation(const InputOptions& input, const std::string& valid);

/// Returns the training text from the file at `path`. Creates this file if it is missing or of
/// another text, or if a run is replaced. Returns nothing if `stop` became true. Errors: as
/// open_source and encode_corpus.
std::optional<EncodedCorpus> encoded_corpus(InputOptions input, const std::filesystem::path& path,
                                            ExistingRun existing, RunListener& listener,
                                            const std::atomic<bool>& stop);

/// Returns, on another rank, the text that rank 0 encoded from the same input in the file at
/// `path`. SystemError if it is missing or of another text.
EncodedCorpus corpus_of_rank_0(const InputOptions& input, const std::filesystem::path& path);

/// Returns an untrained softmax over the vocabulary of the request, for activations of `width`
/// numbers. InputError for an invalid vocabulary.
SoftmaxLayer new_softmax(const TrainingRequest& request, const EncodedCorpus& corpus,
                         std::int64_t width);

}  // namespace elmo
