// Formats clusters of mentions as JSON Lines.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "io/labeled/common/prediction_writer.h"

namespace elmo {

/// {"document", "clusters": [[[begin, end], …], …]} for each document, in tokens of the document
/// or, if the text was segmented (CorefGold::in_bytes), in bytes; end exclusive. RequestError for
/// formats other than jsonl.
std::unique_ptr<PredictionWriter> coref_writer(PredictionFormat format);

}  // namespace elmo
