// Words that have a vector in a task model.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace elmo {

/// Words and the rows of their vectors. Row 0 is for all unknown words. Immutable except add().
class WordVocabulary {
 public:
  /// Assigns the next row to `word`. Returns false if it already has one. `rare`: the word is so
  /// rare in the training data that training replaces its row by row 0 half of the time, to train
  /// the vector of unknown words.
  bool add(std::string_view word, bool rare);

  std::int64_t rows() const { return static_cast<std::int64_t>(words_.size()) + 1; }
  /// The row of a word with exactly this spelling, or 0 if it is unknown.
  std::int32_t row(std::string_view word) const;
  /// Words [rows − 1] in the order of their rows, from row 1.
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
