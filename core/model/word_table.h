// The rows that a model keeps for words.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/model/options.h"
#include "core/model/stored_parameters.h"
#include "core/model/vocabulary.h"
#include "core/tensor/aligned.h"

namespace elmo {

/// Immutable, so threads may share it.
class WordTable {
 public:
  /// Takes the table [V, width] from `parameters`. InputError where the vocabulary has another
  /// size.
  WordTable(const ModelOptions& options, Vocabulary vocabulary, StoredParameters& parameters);

  std::int64_t width() const { return width_; }

  /// The row of a token, which is cut where the options say so; that of unknown words where it is
  /// none of the vocabulary.
  std::span<const float> row(std::string_view token) const;
  std::span<const float> begin_sentence() const;
  std::span<const float> end_sentence() const;

  bool contains(std::string_view token) const;   ///< the token, cut, is a word of the vocabulary
  bool truncates(std::string_view token) const;  ///< the token is cut

 private:
  std::string_view cut(std::string_view token) const;
  std::span<const float> at(std::int64_t row) const;

  Vocabulary vocabulary_;
  std::int64_t width_;
  std::size_t characters_;  // a token is cut to; 0: not cut
  AlignedVector<float> values_;
};

}  // namespace elmo
