// The word embedding table of a model.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/model/options.h"
#include "core/model/stored_parameters.h"
#include "core/model/vocabulary.h"
#include "core/tensor/aligned.h"

namespace elmo {

/// Looks up the rows of words. Immutable, so threads may share it.
class WordTable {
 public:
  /// Takes the table [V, width] from `parameters`. InputError if the vocabulary's size is not V.
  WordTable(const ModelOptions& options, Vocabulary vocabulary, StoredParameters& parameters);

  std::int64_t width() const { return width_; }

  /// The row of a token, cut as the options say, or of unknown words if it is not in the
  /// vocabulary.
  std::span<const float> row(std::string_view token) const;
  std::span<const float> begin_sentence() const;
  std::span<const float> end_sentence() const;

  bool contains(std::string_view token) const;   ///< whether the cut token is in the vocabulary
  bool truncates(std::string_view token) const;  ///< whether the token is cut

 private:
  std::string_view cut(std::string_view token) const;
  std::span<const float> at(std::int64_t row) const;

  Vocabulary vocabulary_;
  std::int64_t width_;
  std::size_t characters_;  // length to which a token is cut; 0: not cut
  AlignedVector<float> values_;
};

}  // namespace elmo
