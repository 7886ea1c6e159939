// Computes the token vectors of a word-level model: table rows, projected if the model has a
// projection.
#pragma once

#include <optional>

#include "core/model/options.h"
#include "core/model/stored_parameters.h"
#include "core/model/token_encoder.h"
#include "core/model/vocabulary.h"

namespace elmo {

class WordEncoder final : public TokenEncoder {
 public:
  /// Takes the parameters for words from `parameters`. The projection, if any, multiplies in
  /// `precision`, which the CPU must support. InputError as WordTable.
  WordEncoder(const ModelOptions& options, Vocabulary vocabulary, StoredParameters& parameters,
              Precision precision);

  void encode(std::span<const std::string_view> tokens, float* to,
              EncoderWorkspace& workspace) const override;
  std::span<const float> begin_sentence() const override { return begin_sentence_; }
  std::span<const float> end_sentence() const override { return end_sentence_; }
  bool truncates(std::string_view token) const override { return table_.truncates(token); }
  bool is_unknown(std::string_view token) const override { return !table_.contains(token); }

 private:
  void encode_rows(std::span<const std::span<const float>> rows, float* to,
                   EncoderWorkspace& workspace) const;

  WordTable table_;
  std::size_t width_;  // P
  std::optional<InputProjection> projection_;
  AlignedVector<float> begin_sentence_;
  AlignedVector<float> end_sentence_;
};

}  // namespace elmo
