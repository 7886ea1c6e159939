// Predicted frames as text.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "io/labeled/common/prediction_writer.h"

namespace elmo {

/// - jsonl: {"tokens": […], "frames": [{"predicate", "tags"}]} a sentence, a frame for each
/// predicate
///   that was given or found, in that order.
/// - columns: as the CoNLL-2005 shared task has predictions, which srl-eval.pl reads: a token a
///   line, first the token where it is a predicate, else "-", then a column of bracketed arguments
///   for each predicate from the first to the last; a blank line after each sentence. InputError
///   for two frames of one predicate, which columns cannot hold.
///
/// RequestError for other formats. `labels`: the model's.
std::unique_ptr<PredictionWriter> srl_writer(PredictionFormat format,
                                             std::vector<std::string> labels);

}  // namespace elmo
