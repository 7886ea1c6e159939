// Makes models: random ones, and ones converted to the layout of AllenNLP and bilm-tf.
#pragma once

#include <cstdint>
#include <string>

#include "io/dtype.h"
#include "io/engine/listener.h"
#include "io/engine/model.h"

namespace elmo {

/// The request of `elmo init`.
struct InitRequest {
  ArchitectureSpec model;
  std::uint64_t seed = 0;
  std::string output;
  bool overwrite = false;
};

/// Saves a random model. Errors: as model_options and save_model.
void run_init(const InitRequest& request, RunListener& listener);

/// The request of `elmo convert`.
struct ConvertRequest {
  std::string model;
  std::string vocabulary;  ///< file; empty: the model's tokens stay what they are
  std::string output;
  Dtype dtype = Dtype::float32;
  bool overwrite = false;
};

/// Converts a model and saves it. Errors: as locate_model, load_model, to_published_layout,
/// to_words and save_model; RequestError if the output is the model's folder.
void run_convert(const ConvertRequest& request, RunListener& listener);

}  // namespace elmo
