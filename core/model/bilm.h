// A biLM ready to compute, its weights packed. The equations: see token_encoder.h, lstm_layer.h.
#pragma once

#include <cstdint>
#include <memory>

#include "core/kernels/precision.h"
#include "core/model/lexicon.h"
#include "core/model/options.h"
#include "core/model/stored_parameters.h"

namespace elmo {

class TokenEncoder;
class LstmStack;

/// An immutable model: any number of threads may compute with it at once, each with its own
/// workspace and state.
class Bilm {
 public:
  /// Packs the parameters for `precision` and releases each once it is packed, so that the peak is
  /// little more than one copy. A model with a table of words needs its vocabulary, one whose
  /// characters are no bytes their dictionary (RequestError without; InputError where its size is
  /// not that of the table). RequestError where the CPU does not support `precision`.
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
