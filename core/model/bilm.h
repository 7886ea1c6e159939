// A biLM for inference, with packed weights, and the initial states of its sentences. For the
// equations see token_encoder.h and lstm.h.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "core/kernels/precision.h"
#include "core/model/lstm.h"
#include "core/model/options.h"
#include "core/model/stored_parameters.h"
#include "core/model/token_encoder.h"
#include "core/model/vocabulary.h"

namespace elmo {

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

  const ModelOptions& options() const { return options_; }
  Precision precision() const { return precision_; }
  const TokenEncoder& encoder() const { return *encoder_; }
  const LstmStack& lstm(int direction) const {  ///< 0 forward, 1 backward
    return lstms_[static_cast<std::size_t>(direction)];
  }

 private:
  ModelOptions options_;
  Precision precision_;
  std::optional<TokenEncoder> encoder_;
  std::vector<LstmStack> lstms_;  // one per direction
};

/// The fixed text for the warm initial state, with tokens separated by spaces.
std::string_view warm_text();
std::vector<std::string_view> warm_tokens();

/// One state (one lane) per direction: 0 forward, 1 backward.
using StartStates = std::array<LstmState, 2>;

/// The zero state.
StartStates zero_states(const Bilm& model);

/// The state after reading warm_text(), with boundaries, from the zero state.
StartStates warm_states(const Bilm& model);

/// Returns the states after the boundary that each direction reads first: `<S>` forward, `</S>`
/// backward. They are the same for all sentences with the same start state, so they are computed
/// once.
StartStates after_boundary(const Bilm& model, const StartStates& start);

}  // namespace elmo
