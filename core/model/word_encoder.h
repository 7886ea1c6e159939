// The token vectors of a word-level model: a table.
#pragma once

#include "core/model/parameters.h"
#include "core/model/token_encoder.h"
#include "core/model/vocabulary.h"

namespace elmo {

class WordEncoder final : public TokenEncoder {
 public:
  /// Takes the table [V, P] from `parameters`. InputError where the vocabulary has another size.
  WordEncoder(Vocabulary vocabulary, std::int64_t projection_dim, Parameters& parameters);

  void encode(std::span<const std::string_view> tokens, float* to,
              EncoderWorkspace& workspace) const override;
  std::span<const float> begin_sentence() const override;
  std::span<const float> end_sentence() const override;
  bool truncates(std::string_view) const override { return false; }
  bool is_unknown(std::string_view token) const override { return !vocabulary_.contains(token); }

 private:
  std::span<const float> vector(std::int64_t row) const;

  Vocabulary vocabulary_;
  std::int64_t projection_;
  AlignedVector<float> table_;
};

}  // namespace elmo
