// Saves complete models to files.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/model/options.h"
#include "core/model/parameters.h"
#include "core/model/vocabulary.h"
#include "io/dtype.h"
#include "io/model/replacement.h"
#include "io/text/formats/tokenizer_description.h"

namespace elmo {

/// The number type and the optional files of a saved model.
struct SaveOptions {
  bool overwrite = false;                           ///< replace the model in the folder, if any
  Dtype dtype = Dtype::float32;                     ///< type of weights and softmax
  const SoftmaxLayer* softmax = nullptr;            ///< saved as well, if set
  const TokenizerDescription* tokenizer = nullptr;  ///< saved as well, if set
  std::optional<std::string> language{};   ///< text of language.json, saved as well, if set
  ReplacementListener listener = nullptr;  ///< called after each step of publishing
};

/// True if a folder holds a model, or its options, weights or softmax.
bool holds_model(const std::filesystem::path& folder);

/// Throws RequestError if a folder holds a file that save_model does not replace and that a reader
/// of the folder would take for a model, or for a part of the saved one.
void require_no_other_model(const std::filesystem::path& folder);

/// Removes the files of a model, if any. SystemError if that fails.
void remove_model(const std::filesystem::path& folder);

/// Writes options.json, weights.hdf5 and, for a word-level model, vocab.txt into a folder, which is
/// created if needed. On request, also writes softmax.hdf5 with vocabulary.txt, tokenizer.json and
/// language.json. If interrupted at any point, locate_model finds either the old model or the new
/// one, complete; see io/model/replacement.h. Files of these names that the new model does not have
/// are removed. One writer at a time: the caller holds the folder's lock. RequestError if the
/// folder holds a model that is not to be overwritten; SystemError if writing fails; InputError for
/// a number that float16 cannot hold.
void save_model(const std::filesystem::path& folder, const ModelOptions& options,
                const Parameters& parameters, const Vocabulary* vocabulary,
                const SaveOptions& save = {});

}  // namespace elmo
