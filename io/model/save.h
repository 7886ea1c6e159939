// Whole models, out to files.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/model/options.h"
#include "core/model/parameters.h"
#include "core/model/softmax_layer.h"
#include "core/model/vocabulary.h"
#include "io/dtype.h"
#include "io/model/folder/replacement.h"
#include "io/text/formats/tokenizer_description.h"

namespace elmo {

/// What becomes of a model that the folder holds already.
enum class ExistingModel { kept, replaced };

struct SaveOptions {
  ExistingModel existing = ExistingModel::kept;
  Dtype dtype = Dtype::float32;                     ///< of weights and softmax
  const SoftmaxLayer* softmax = nullptr;            ///< saved along where there is one
  const TokenizerDescription* tokenizer = nullptr;  ///< saved along where it is known
  std::optional<std::string> language{};            ///< text of language.json, likewise
  ReplacementListener listener = nullptr;           ///< notified of each step of publishing
};

/// True where a folder holds a model, or one of the files that a model is made of.
bool holds_model(const std::filesystem::path& folder);

/// Removes a model's files where there are any. SystemError where that fails.
void remove_model(const std::filesystem::path& folder);

/// Writes options.json, weights.hdf5 and, for a word-level model, vocab.txt into a folder, which is
/// made where it is missing; and, where asked for, softmax.hdf5 with vocabulary.txt,
/// tokenizer.json and language.json. Whenever it is interrupted, locate_model finds the model that
/// was there, whole, or the new one; see replacement.h. Files of these names that the new model
/// does not have are removed. One writer at a time: the caller holds the folder's lock.
/// RequestError where the folder holds a model that is to be kept; SystemError where writing fails;
/// InputError for a number that float16 cannot hold.
void save_model(const std::filesystem::path& folder, const ModelOptions& options,
                const Parameters& parameters, const Vocabulary* vocabulary,
                const SaveOptions& save = {});

}  // namespace elmo
