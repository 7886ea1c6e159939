// The vocabulary and the character dictionary of a model.
#pragma once

#include <optional>
#include <utility>

#include "core/model/char_dictionary.h"
#include "core/model/vocabulary.h"

namespace elmo {

/// The names of the rows of a model's tables, if it needs them.
struct Lexicon {
  Lexicon() = default;
  /// Implicit, because most models that need a lexicon need only words.
  Lexicon(std::optional<Vocabulary> of_words, std::optional<CharDictionary> of_characters = {})
      : words(std::move(of_words)), characters(std::move(of_characters)) {}
  Lexicon(Vocabulary of_words) : words(std::move(of_words)) {}

  std::optional<Vocabulary> words;           ///< for models with a word table
  std::optional<CharDictionary> characters;  ///< for models whose characters are not bytes
};

}  // namespace elmo
