// Formats predicted frames as text.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "io/labeled/common/prediction_writer.h"

namespace elmo {

/// - jsonl: {"tokens": […], "frames": [{"predicate", "tags"}]} for each sentence, with a frame for
///   each predicate that was given or found, in that order.
/// - columns: the prediction format of the CoNLL-2005 shared task, which srl-eval.pl reads. One
///   token per line: the token if it is a predicate, else "-"; then a column of bracketed arguments
///   for each predicate, from first to last. A blank line follows each sentence. InputError for two
///   frames of one predicate, which columns cannot represent.
///
/// RequestError for other formats. `labels`: the model's.
std::unique_ptr<PredictionWriter> srl_writer(PredictionFormat format,
                                             std::vector<std::string> labels);

}  // namespace elmo
