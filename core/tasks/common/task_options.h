// Architecture and loss of a task model.
#pragma once

#include <cstdint>

#include "core/enum_table.h"

namespace elmo {

/// Position at which ELMo is concatenated to the task's own vectors (Peters et al. 2018,
/// section 3.3): [x; ELMo] before the RNN, [h; ELMo] after it.
enum class ElmoPlace { none, input, output, both };

inline constexpr auto kElmoPlaces = enum_table<ElmoPlace>({{"none", ElmoPlace::none},
                                                           {"input", ElmoPlace::input},
                                                           {"output", ElmoPlace::output},
                                                           {"both", ElmoPlace::both}});

/// How the layers enter. all: mixed, with learned s_j. top, layer, average: mixed with fixed s_j,
/// which select the last layer, one layer, or equal shares of all. concat: side by side, not mixed.
enum class MixKind { all, top, layer, average, concat };

/// MixKind::layer is written as the layer's number.
inline constexpr auto kMixKinds = enum_table<MixKind>({{"all", MixKind::all},
                                                       {"top", MixKind::top},
                                                       {"average", MixKind::average},
                                                       {"concat", MixKind::concat}});

/// Mix of the biLM's layers: ELMo_k = γ Σ_j s_j h_kj (equation 1), with learned γ. With
/// MixKind::concat instead ELMo_k = [x_k; forward_k1; backward_k1; …], without parameters.
struct MixOptions {
  MixKind kind = MixKind::all;
  std::int64_t layer = 0;   ///< MixKind::layer only: 0 … L
  float lambda = 0.001F;    ///< λ‖w‖² is added to the loss; s = softmax(w)
  float dropout = 0.0F;     ///< dropout rate of ELMo_k
  bool layer_norm = false;  ///< first normalize each layer to mean 0, variance 1 over the sentence
};

/// Size of a biLM whose layers a task model takes.
struct BilmShape {
  std::int64_t layers = 0;      ///< L
  std::int64_t projection = 0;  ///< P

  std::int64_t rows() const { return 2 * layers + 1; }          ///< activation vectors per token
  std::int64_t columns() const { return rows() * projection; }  ///< of all vectors side by side
  std::int64_t mix_columns() const { return 2 * projection; }
};

/// Options that determine a task model's shape and loss. A trained model stores them.
struct TaskOptions {
  ElmoPlace elmo = ElmoPlace::input;
  MixOptions mix = {};  ///< of each ElmoPlace, which has its own mix
  BilmShape bilm = {};
  std::int64_t word_columns = 50;  ///< width of a word vector
  bool train_words = true;         ///< else the vectors keep their initial values
  std::int64_t character_columns = 16;
  std::int64_t character_filters = 50;  ///< 0: no character CNN
  std::int64_t character_width = 3;
  std::int64_t layers = 1;    ///< number of stacked biLSTMs
  std::int64_t hidden = 128;  ///< per direction
  float dropout = 0.5F;

  bool elmo_at_input() const { return elmo == ElmoPlace::input || elmo == ElmoPlace::both; }
  bool elmo_at_output() const { return elmo == ElmoPlace::output || elmo == ElmoPlace::both; }
  bool concatenates() const { return mix.kind == MixKind::concat; }
  /// Columns of ELMo_k at one place.
  std::int64_t elmo_columns() const { return concatenates() ? bilm.columns() : bilm.mix_columns(); }
};

}  // namespace elmo
