// A biLM for inference, with packed weights. For the equations see token_encoder.h and
// lstm_layer.h.
#pragma once

#include <cstdint>
#include <memory>

#include "core/kernels/precision.h"
#include "core/model/options.h"
#include "core/model/stored_parameters.h"
#include "core/model/vocabulary.h"

namespace elmo {

class TokenEncoder;
class LstmStack;

/// An immutable model. Any number of threads may compute with it at once, each with its own
/// workspace and state.
class Bilm {
 public:
  /// Packs the parameters for `precision` and releases each once it is packed, so that peak memory
  /// is little more than one copy. A model with a word table needs its vocabulary, and a model
  /// whose characters are not bytes needs their dictionary: RequestError if missing, InputError if
  /// its size differs from the table's. RequestError if the CPU does not support `precision`.
  Bilm(const ModelOptions& options, StoredParameters parameters, Precision precision,
       Lexicon lexicon = {});
  ~Bilm();
  Bilm(Bilm&&) noexcept;
  Bilm& operator=(Bilm&&) noexcept;

  const ModelOptions& options() const;
  Precision precision() const;
  const TokenEncoder& encoder() const;
  const LstmStack& lstm(int direction) const;  ///< 0 forward, 1 backward

 private:
  struct Parts;
  std::unique_ptr<const Parts> parts_;
};

}  // namespace elmo
