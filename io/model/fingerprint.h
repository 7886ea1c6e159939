// What distinguishes one model from another.
#pragma once

#include <string>

#include "core/model/char_dictionary.h"
#include "core/model/options.h"
#include "core/model/stored_parameters.h"
#include "core/model/vocabulary.h"

namespace elmo {

/// 32 hexadecimal digits that stand for what a model computes: XXH3-128 over its options, the
/// names, shapes and values of its parameters, its words and characters. How its files spell them
/// does not matter.
std::string model_fingerprint(const ModelOptions& options, const StoredParameters& parameters,
                              const Vocabulary* vocabulary,
                              const CharDictionary* characters = nullptr);

}  // namespace elmo
