// The character encoder: embedding, convolutions, max-pool, highway and projection (Peters et al.
// 2018, section 3.1; Kim et al. 2016), joined with the rows of a word table in models that have
// both.
#pragma once

#include <optional>
#include <vector>

#include "core/kernels/character_table.h"
#include "core/kernels/precision.h"
#include "core/model/options.h"
#include "core/model/stored_parameters.h"
#include "core/model/token_encoder.h"
#include "core/model/vocabulary.h"

namespace elmo {

class CharEncoder final : public TokenEncoder {
 public:
  /// Packs the encoder's parameters and releases them. The highway layers and the projection
  /// multiply in `precision`, which the CPU must support. `lexicon` must have the dictionary and
  /// the vocabulary that `model` needs. InputError if the size of either differs from its table's.
  CharEncoder(const ModelOptions& model, Lexicon lexicon, StoredParameters& parameters,
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

  // The character ids of one token, the number of ids that are not padding, and the token's row in
  // the word table, if any.
  struct Word {
    std::vector<std::int32_t> ids;
    std::size_t id_count = 0;
    std::span<const float> row = {};
  };

  enum class Boundary { begin_sentence, end_sentence };

  std::int64_t convolved_length(std::size_t id_count) const;
  void encode_words(std::span<const Word> words, std::span<const std::size_t> indices, float* to,
                    EncoderWorkspace& workspace) const;
  void convolve_groups(std::span<const Word> words, std::span<const std::size_t> indices,
                       EncoderWorkspace& workspace) const;
  void convolve(std::span<const Word> words, std::int64_t length, float* features,
                EncoderWorkspace& workspace) const;
  void look_up(std::span<const Word> words, std::span<const std::size_t> indices,
               float* features) const;
  const float* join(std::span<const Word> words, std::span<const std::size_t> indices,
                    EncoderWorkspace& workspace) const;
  AlignedVector<float> encode_boundary(Boundary boundary) const;

  CharCnnOptions options_;
  std::int64_t filters_;         // F
  std::int64_t projection_dim_;  // P
  Precision precision_;
  std::int64_t widest_ = 0;                   // largest filter width
  std::optional<CharDictionary> dictionary_;  // nullopt: characters are bytes
  std::optional<WordTable> words_;
  AlignedVector<float> embedding_;      // [characters, C]
  std::vector<Convolution> banks_;      // either these
  std::vector<CharacterTable> tables_;  // or these
  std::vector<Highway> highways_;
  std::optional<InputProjection> projection_;
  AlignedVector<float> begin_sentence_;
  AlignedVector<float> end_sentence_;
};

}  // namespace elmo
