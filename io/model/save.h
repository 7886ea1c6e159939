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
/// made where it is missing. Each appears whole or not at all, options.json last, so that the
/// folder is no model before it is complete. UsageError where one of them is there already and is
/// to be kept; SystemError where writing fails.
void save_model(const std::filesystem::path& folder, const ModelOptions& options,
                const Parameters& parameters, const Vocabulary* vocabulary,
                ExistingModel existing = ExistingModel::kept);

}  // namespace elmo
