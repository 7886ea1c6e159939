// Fingerprints of models.
#pragma once

#include <string>

#include "core/model/char_dictionary.h"
#include "core/model/options.h"
#include "core/model/stored_parameters.h"
#include "core/model/vocabulary.h"

namespace elmo {

/// Returns 32 hexadecimal digits that identify what a model computes: XXH3-128 over its options,
/// the names, shapes and values of its parameters, its words and its characters. Does not depend on
/// the format of its files.
std::string model_fingerprint(const ModelOptions& options, const StoredParameters& parameters,
                              const Vocabulary* vocabulary,
                              const CharDictionary* characters = nullptr);

}  // namespace elmo
