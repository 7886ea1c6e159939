// Whole models, out to files.
#pragma once

#include <filesystem>

#include "core/model/options.h"
#include "core/model/parameters.h"
#include "core/model/vocabulary.h"

namespace elmo {

/// What becomes of a model that the folder holds already.
enum class ExistingModel { kept, replaced };

/// Writes options.json, weights.hdf5 and, for a word-level model, vocab.txt into a folder, which is
/// made where it is missing. They get these names once all are on the disk, options.json last, so
/// that whenever the folder holds a model it is a whole one, and a failure leaves the one that was
/// there. UsageError where one of them is there already and is to be kept; SystemError where
/// writing fails.
void save_model(const std::filesystem::path& folder, const ModelOptions& options,
                const Parameters& parameters, const Vocabulary* vocabulary,
                ExistingModel existing = ExistingModel::kept);

}  // namespace elmo
