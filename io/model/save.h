// Whole models, out to files.
#pragma once

#include <filesystem>

#include "core/model/options.h"
#include "core/model/parameters.h"
#include "core/model/softmax_layer.h"
#include "core/model/vocabulary.h"
#include "io/dtype.h"
#include "io/text/text_source.h"

namespace elmo {

/// What becomes of a model that the folder holds already.
enum class ExistingModel { kept, replaced };

struct SaveOptions {
  ExistingModel existing = ExistingModel::kept;
  Dtype dtype = Dtype::float32;                     ///< of weights and softmax
  const SoftmaxLayer* softmax = nullptr;            ///< saved along where there is one
  const TokenizerDescription* tokenizer = nullptr;  ///< saved along where it is known
};

/// Writes options.json, weights.hdf5 and, for a word-level model, vocab.txt into a folder, which is
/// made where it is missing; and, where asked for, softmax.hdf5 with vocabulary.txt, and
/// tokenizer.json. They get these names once all are on the disk, options.json last, so that
/// whenever the folder holds a model it is a whole one, and a failure leaves the one that was
/// there. Files of these names that the new model does not have are removed. RequestError where one
/// of them is there already and is to be kept; SystemError where writing fails; InputError for a
/// number that float16 cannot hold.
void save_model(const std::filesystem::path& folder, const ModelOptions& options,
                const Parameters& parameters, const Vocabulary* vocabulary,
                const SaveOptions& save = {});

}  // namespace elmo
