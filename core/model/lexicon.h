// How a model identifies tokens, besides its numbers.
#pragma once

#include <optional>
#include <utility>

#include "core/model/char_dictionary.h"
#include "core/model/vocabulary.h"

namespace elmo {

/// The names of the rows of a model's tables, as far as it needs them.
struct Lexicon {
  Lexicon() = default;
  /// Implicit: most models that need any need words.
  Lexicon(std::optional<Vocabulary> of_words, std::optional<CharDictionary> of_characters = {})
      : words(std::move(of_words)), characters(std::move(of_characters)) {}
  Lexicon(Vocabulary of_words) : words(std::move(of_words)) {}

  std::optional<Vocabulary> words;           ///< models that have a table of words
  std::optional<CharDictionary> characters;  ///< models whose characters are no bytes
};

}  // namespace elmo
