// The two texts of a training run.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>

#include "cli/flags/train.h"
#include "core/model/softmax_layer.h"
#include "io/text/source/text_source.h"
#include "io/train/corpus_file.h"

namespace elmo {

/// What --valid names, read as the text that is trained on.
InputOptions validation_input(const TrainFlags& flags);

/// RequestError where it can be read only once; InputError where there is nothing in it to predict;
/// else as open_source.
void check_validation(const TrainFlags& flags);

/// The text that is trained on, from the file at `path`, which is made where it is missing or of
/// another text, or all is to be begun anew. Nothing where `stop` became true. Errors: as
/// open_source and encode_corpus.
std::optional<EncodedCorpus> encoded_corpus(const TrainFlags& flags,
                                            const std::filesystem::path& path,
                                            const std::atomic<bool>& stop);

/// The text that rank 0 has made of the same flags in the file at `path`, on another rank.
/// SystemError where it is not there.
EncodedCorpus corpus_of_rank_0(const TrainFlags& flags, const std::filesystem::path& path);

/// A softmax for activations of `width` numbers, over the vocabulary that `flags` name or that the
/// corpus has, not trained yet. InputError for a vocabulary that cannot be.
SoftmaxLayer new_softmax(const TrainFlags& flags, const EncodedCorpus& corpus, std::int64_t width);

}  // namespace elmo
