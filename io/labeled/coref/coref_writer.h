// Clusters of mentions as JSON Lines.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "io/labeled/common/prediction_writer.h"

namespace elmo {

/// {"document", "clusters": [[[begin, end], …], …]} for each document: in its tokens, or in bytes
/// where the text was segmented (CorefGold::in_bytes), end exclusive. RequestError for any format
/// but jsonl.
std::unique_ptr<PredictionWriter> coref_writer(PredictionFormat format);

}  // namespace elmo
