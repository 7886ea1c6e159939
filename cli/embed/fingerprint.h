// The fingerprint of a run of `elmo embed`: everything that its shards depend on.
#pragma once

#include <string>

#include "cli/embed/request.h"
#include "core/model/options.h"
#include "io/provenance.h"

namespace elmo {

/// The components that decide the contents of a run's shards, except those that ShardRun adds.
/// `model_hash` is the model's fingerprint. Errors: as list_input_files and describe_tokenizer.
Provenance run_fingerprint(const EmbedRequest& request, const ShardOutput& output,
                           const ModelOptions& model, const std::string& model_hash);

}  // namespace elmo
