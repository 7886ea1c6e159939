// The words that a task model has vectors of.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace elmo {

/// Words and the rows of their vectors. Row 0 is that of all others. Immutable except add().
class WordVocabulary {
 public:
  /// Gives a word the next row; false where it has one. `rare`: so rare in what is trained on that
  /// its place there is taken by the row of all others half of the time, which is how that row
  /// learns what an unknown word is like.
  bool add(std::string_view word, bool rare);

  std::int64_t rows() const { return static_cast<std::int64_t>(words_.size()) + 1; }
  /// The row of a word spelled exactly like this; 0 where it has none.
  std::int32_t row(std::string_view word) const;
  /// [rows − 1] in the order of their rows.
  const std::vector<std::string>& words() const { return words_; }
  bool is_rare(std::int32_t row) const { return rare_[static_cast<std::size_t>(row)] != 0; }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view word) const {
      return std::hash<std::string_view>()(word);
    }
  };

  std::vector<std::string> words_;
  std::vector<std::uint8_t> rare_ = {0};
  std::unordered_map<std::string, std::int32_t, Hash, std::equal_to<>> rows_;
};

}  // namespace elmo
