// The two texts of a training run.
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

/// The text `valid`, read as `input` is.
InputOptions validation_input(InputOptions input, const std::string& valid);

/// RequestError where the text `valid` can be read only once; InputError where it has nothing to
/// predict; else as open_source.
void check_validation(const InputOptions& input, const std::string& valid);

/// The text that is trained on, from the file at `path`, which is made where it is missing or of
/// another text, or a run is replaced. Nothing where `stop` became true. Errors: as open_source and
/// encode_corpus.
std::optional<EncodedCorpus> encoded_corpus(InputOptions input, const std::filesystem::path& path,
                                            ExistingRun existing, RunListener& listener,
                                            const std::atomic<bool>& stop);

/// The text that rank 0 has made of the same input in the file at `path`, on another rank.
/// SystemError where it is not there.
EncodedCorpus corpus_of_rank_0(const InputOptions& input, const std::filesystem::path& path);

/// A softmax for activations of `width` numbers, over the vocabulary of the request, not trained
/// yet. InputError for a vocabulary that cannot be.
SoftmaxLayer new_softmax(const TrainingRequest& request, const EncodedCorpus& corpus,
                         std::int64_t width);

}  // namespace elmo
