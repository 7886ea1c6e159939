// What a task model is built of, and how it is trained.
#pragma once

#include <cstdint>

#include "core/enum_table.h"

namespace elmo {

/// What is labeled; core/tasks/kinds.h says all else.
enum class TaskKind { tag, classify, pair, qa, srl, coref };

/// Where the mixed layers of the biLM stand beside the task's own vectors (Peters et al. 2018,
/// section 3.3): [x; ELMo] before the RNN, [h; ELMo] after it.
enum class ElmoPlace { none, input, output, both };

inline constexpr auto kElmoPlaces = enum_table<ElmoPlace>({{"none", ElmoPlace::none},
                                                           {"input", ElmoPlace::input},
                                                           {"output", ElmoPlace::output},
                                                           {"both", ElmoPlace::both}});

/// all: s_j are learned. The others are fixed: the last layer, one layer, equal shares of all.
enum class MixKind { all, top, layer, average };

/// MixKind::layer is spelled by the layer's number.
inline constexpr auto kMixKinds = enum_table<MixKind>(
    {{"all", MixKind::all}, {"top", MixKind::top}, {"average", MixKind::average}});

/// How the layers of the biLM are mixed: ELMo_k = γ Σ_j s_j h_kj (equation 1), γ learned.
struct MixOptions {
  MixKind kind = MixKind::all;
  std::int64_t layer = 0;   ///< of MixKind::layer: 0 … L
  float lambda = 0.001F;    ///< λ‖w‖² is added to the loss, s = softmax(w)
  float dropout = 0.0F;     ///< of the mix
  bool layer_norm = false;  ///< each layer to mean 0 and variance 1 over the sentence first
};

/// The layers of a biLM that a task model may mix.
struct BilmShape {
  std::int64_t layers = 0;      ///< L
  std::int64_t projection = 0;  ///< P

  std::int64_t rows() const { return 2 * layers + 1; }  ///< of a token's activations
  std::int64_t mix_columns() const { return 2 * projection; }
};

/// What decides a task model's shape and its loss; a trained model keeps them.
struct TaskOptions {
  TaskKind kind = TaskKind::tag;
  ElmoPlace elmo = ElmoPlace::input;
  MixOptions mix;  ///< of each of the places; they are mixed separately
  BilmShape bilm;
  std::int64_t word_columns = 50;  ///< of a word's vector
  bool train_words = true;         ///< else the vectors stay as they were read
  std::int64_t character_columns = 16;
  std::int64_t character_filters = 50;  ///< 0: no character CNN
  std::int64_t character_width = 3;
  std::int64_t layers = 1;    ///< biLSTMs one above the other
  std::int64_t hidden = 128;  ///< a direction
  float dropout = 0.5F;

  bool elmo_at_input() const { return elmo == ElmoPlace::input || elmo == ElmoPlace::both; }
  bool elmo_at_output() const { return elmo == ElmoPlace::output || elmo == ElmoPlace::both; }
};

}  // namespace elmo
