// The names of the rows of a model's tables: words and characters.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/model/characters.h"
#include "core/text.h"

namespace elmo {

/// The vocabulary entries that are not words of a text.
struct ReservedWords {
  std::string_view begin_sentence = "<S>";
  std::string_view end_sentence = "</S>";
  std::string_view unknown = "<UNK>";
  /// If true, a text that spells a reserved word gets its row, and a vocabulary may lack the two
  /// boundaries, which are unknown words then. If false, such a text is an unknown word.
  bool are_words = false;
};

/// Returns the form of a word in which equivalent words are equal.
using WordForm = std::string (*)(std::string_view word);

/// The words of a word table or a softmax. Maps tokens to rows. Immutable once built, so threads
/// may share it. Movable, not copyable: the map's keys are views of the words.
class Vocabulary {
 public:
  /// `words` in row order. They must include the reserved words and have no duplicates: otherwise
  /// InputError, with the 1-based line of a duplicate. `form`, if given: a word is also found by
  /// its form, unless another word is spelled so.
  explicit Vocabulary(std::vector<std::string> words, const ReservedWords& reserved = {},
                      WordForm form = nullptr);
  Vocabulary(Vocabulary&&) noexcept = default;
  Vocabulary& operator=(Vocabulary&&) noexcept = default;

  std::int64_t size() const { return static_cast<std::int64_t>(words_.size()); }
  const std::string& word(std::int64_t row) const { return words_[static_cast<std::size_t>(row)]; }

  const std::vector<std::string>& words() const { return words_; }  ///< in the order of the rows

  /// The row of a token of the text, or of `<UNK>` if it is unknown. See ReservedWords for texts
  /// that spell a reserved word.
  std::int64_t row(std::string_view token) const;
  /// The same, or that of `form`, the form of the token, if the token is unknown.
  std::int64_t row(std::string_view token, std::string_view form) const {
    return row(contains(token) ? token : form);
  }
  bool contains(std::string_view token) const;  ///< false for reserved words, unless
                                                ///< ReservedWords::are_words

  std::int64_t begin_sentence() const { return begin_sentence_; }
  std::int64_t end_sentence() const { return end_sentence_; }
  std::int64_t unknown() const { return unknown_; }

 private:
  std::vector<std::string> words_;
  std::unordered_map<std::string_view, std::int64_t> rows_;
  TextMap<std::int64_t> rows_of_forms_;  // of words that differ from their form
  std::int64_t begin_sentence_ = -1;
  std::int64_t end_sentence_ = -1;
  std::int64_t unknown_ = -1;
};

/// The vocabulary and the character dictionary of a model, if it needs them.
struct Lexicon {
  Lexicon() = default;
  /// Implicit, because most models that need a lexicon need only words.
  Lexicon(std::optional<Vocabulary> of_words, std::optional<CharDictionary> of_characters = {})
      : words(std::move(of_words)), characters(std::move(of_characters)) {}
  Lexicon(Vocabulary of_words) : words(std::move(of_words)) {}

  std::optional<Vocabulary> words;           ///< models with a word table
  std::optional<CharDictionary> characters;  ///< models whose characters are not bytes
};

}  // namespace elmo
