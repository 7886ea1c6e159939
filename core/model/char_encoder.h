// The character encoder: embedding, convolutions, max-pool, highway, projection (Peters et al.
// 2018, section 3.1; Kim et al. 2016).
#pragma once

#include <vector>

#include "core/kernels/character_table.h"
#include "core/kernels/precision.h"
#include "core/model/options.h"
#include "core/model/parameters.h"
#include "core/model/token_encoder.h"

namespace elmo {

class CharEncoder final : public TokenEncoder {
 public:
  /// Packs the encoder's parameters and empties them. The highway layers and the projection
  /// multiply in `precision`, which the CPU has to support.
  CharEncoder(const CharCnnOptions& options, std::int64_t projection_dim, Parameters& parameters,
              Precision precision);

  void encode(std::span<const std::string_view> tokens, float* to,
              EncoderWorkspace& workspace) const override;
  std::span<const float> begin_sentence() const override { return begin_sentence_; }
  std::span<const float> end_sentence() const override { return end_sentence_; }
  bool truncates(std::string_view token) const override;
  bool is_unknown(std::string_view) const override { return false; }

 private:
  struct Highway {
    PackedMatrix carry;
    PackedMatrix transform;
    AlignedVector<float> carry_bias;
    AlignedVector<float> transform_bias;
  };

  // Character ids of one token, and how many of them are not padding.
  struct Word {
    std::vector<std::int32_t> ids;
    std::size_t id_count = 0;
  };

  std::int64_t convolved_length(std::size_t id_count) const;
  void encode_words(std::span<const Word> words, std::span<const std::size_t> indices, float* to,
                    EncoderWorkspace& workspace) const;
  void convolve_groups(std::span<const Word> words, std::span<const std::size_t> indices,
                       EncoderWorkspace& workspace) const;
  void convolve(std::span<const Word> words, std::int64_t length, float* features,
                EncoderWorkspace& workspace) const;
  void look_up(std::span<const Word> words, std::span<const std::size_t> indices,
               float* features) const;
  AlignedVector<float> encode_boundary(std::int32_t mark) const;

  CharCnnOptions options_;
  std::int64_t filters_;     // F
  std::int64_t projection_;  // P
  Precision precision_;
  std::int64_t widest_ = 0;             // of all filters
  AlignedVector<float> embedding_;      // [261, C]
  std::vector<Convolution> banks_;      // float32
  std::vector<CharacterTable> tables_;  // the other precisions
  std::vector<Highway> highways_;
  PackedMatrix projection_weights_;  // [F, P], absent where F == P
  AlignedVector<float> projection_bias_;
  bool has_projection_;
  AlignedVector<float> begin_sentence_;
  AlignedVector<float> end_sentence_;
};

}  // namespace elmo
