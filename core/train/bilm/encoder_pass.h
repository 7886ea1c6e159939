// The token encoder over distinct tokens, forward and backward: characters, or rows of a word
// table.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/kernels/product.h"
#include "core/matrix.h"
#include "core/model/options.h"
#include "core/model/parameters.h"
#include "core/nn/character_cnn.h"
#include "core/nn/layer.h"
#include "core/train/bilm/lanes.h"

namespace elmo {

/// Looks up the rows of a word table as token vectors, and adds up the rows' gradients. Not for two
/// threads at once.
class WordPass {
 public:
  /// `rows`: see Corpus::rows. `rows` and `model` must outlive this object.
  WordPass(TrainedBilm& model, std::span<const std::int32_t> rows)
      : table_(model.parameters[*model.parameters.index().word_embedding]), rows_(rows) {}

  Parameter& table() { return table_; }

  /// Writes the vector of the batch's i-th type to row i of `to` [types, P]. The touched rows of
  /// the table become those that the batch reads, in its lanes or in other lanes, ascending.
  void forward(const TrainingBatch& batch, float* to);

  /// `gradient` [types, P]: with respect to the output of `forward`. Replaces the table's gradient.
  void backward(const TrainingBatch& batch, const float* gradient);

 private:
  Parameter& table_;  // [V, P]
  std::span<const std::int32_t> rows_;
};

/// Keeps the intermediate values that the gradient needs between `forward` and `backward`. Not for
/// two threads at once.
class EncoderPass {
 public:
  /// `model` and `types`, the spellings of the corpus's types, must outlive this object.
  /// `is_first`: see GradientShare.
  EncoderPass(TrainedBilm& model, std::span<const std::string> types, bool is_first,
              Precision precision);

  /// Writes the vector of types[rows[i]] to row rows[i] of `to` [.., P]. Other rows are unchanged.
  void forward(std::span<const std::uint32_t> types, std::vector<std::int64_t> rows, float* to);

  /// `output_gradient` [.., P]: with respect to the output of `forward`. Replaces the encoder's
  /// gradients.
  void backward(const float* output_gradient);

  const GradientShare& gradients() const { return gradients_; }

 private:
  struct Highway {
    AlignedVector<float> input;      // [n, F]
    AlignedVector<float> gate;       // [n, F]
    AlignedVector<float> candidate;  // [n, F]
  };
  void spell(std::span<const std::uint32_t> types);
  const float* values(std::size_t parameter) const;
  float* gradient(std::size_t parameter);  // this worker's gradient buffer

  Parameters& parameters_;
  const CharCnnIndex& index_;
  std::optional<AffineIndex> token_projection_;
  GradientShare gradients_;
  Products products_;
  CharCnnOptions options_;
  std::span<const std::string> spelled_;
  std::int64_t filters_;     // F
  std::int64_t projection_;  // P
  std::int64_t widest_ = 0;
  CharacterConvolution convolution_;
  std::vector<Highway> highways_;

  std::vector<std::int64_t> rows_;         // of `to`, one per token
  SpelledWords words_;                     // one per token
  AlignedVector<float> features_;          // [n, F], after the highway layers
  AlignedVector<float> outputs_;           // [n, P]
  AlignedVector<float> feature_gradient_;  // [n, F]
};

}  // namespace elmo
