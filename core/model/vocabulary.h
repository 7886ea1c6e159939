// The words a word-level model knows, by row.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace elmo {

/// The entries of a vocabulary that stand for no word of a text.
struct ReservedWords {
  std::string_view begin_sentence = "<S>";
  std::string_view end_sentence = "</S>";
  std::string_view unknown = "<UNK>";
  /// Whether a text that spells them means their rows; else they are unknown words there. Where it
  /// does, a vocabulary may lack the two boundaries, which are unknown words then.
  bool are_words = false;
};

/// Maps tokens to rows of the embedding table. Immutable once built, so threads may share it.
/// Movable, not copyable: the map's keys are views of the words.
class Vocabulary {
 public:
  /// Words in the order of their rows. The reserved ones have to be among them and no word may be
  /// there twice: InputError otherwise, with the line (1-based) it was found on.
  explicit Vocabulary(std::vector<std::string> words, const ReservedWords& reserved = {});
  Vocabulary(Vocabulary&&) noexcept = default;
  Vocabulary& operator=(Vocabulary&&) noexcept = default;

  std::int64_t size() const { return static_cast<std::int64_t>(words_.size()); }
  const std::string& word(std::int64_t row) const { return words_[static_cast<std::size_t>(row)]; }

  const std::vector<std::string>& words() const { return words_; }  ///< in the order of their rows

  /// Row of a token of the text, that of `<UNK>` where it is not known. See ReservedWords for what
  /// a text means that spells one of them.
  std::int64_t row(std::string_view token) const;
  bool contains(std::string_view token) const;  ///< false for reserved words that are no words

  std::int64_t begin_sentence() const { return begin_sentence_; }
  std::int64_t end_sentence() const { return end_sentence_; }
  std::int64_t unknown() const { return unknown_; }

 private:
  std::vector<std::string> words_;
  std::unordered_map<std::string_view, std::int64_t> rows_;
  std::int64_t begin_sentence_ = -1;
  std::int64_t end_sentence_ = -1;
  std::int64_t unknown_ = -1;
};

}  // namespace elmo
