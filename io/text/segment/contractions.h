// Contractions, and the words that they stand for: du is de and le.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/enum_table.h"

namespace elmo {

/// How the tokenizer treats contractions.
enum class ContractionMode {
  keep,   ///< it leaves them as they are in the text
  expand  ///< it replaces them by the words that they stand for
};

inline constexpr auto kContractionModes = enum_table<ContractionMode>(
    {{"keep", ContractionMode::keep}, {"expand", ContractionMode::expand}});

/// The contractions of a language. An entry names a whole word (`du=de|le`), or an ending and, with
/// a star, what is before it (`*ándose=*ando|se`). Case does not matter, and all apostrophes are
/// alike.
class Contractions {
 public:
  /// The longest word or ending, in characters.
  static constexpr std::size_t kMaxCharacters = 16;

  /// Adds an entry of valid UTF-8. Returns what is wrong with it; empty if it is valid.
  std::string add(std::string_view entry);

  bool empty() const { return whole_.empty() && endings_.empty(); }

  /// Returns the words that `token`, valid UTF-8, stands for: by its whole entry, else by that of
  /// its longest ending. Empty if it is no contraction. The case is that of the token: Du is De le,
  /// DU is DE LE. Any thread.
  std::vector<std::string> words_of(std::string_view token) const;

 private:
  // By their folded characters. The first word of an ending lacks its star.
  std::unordered_map<std::u32string, std::vector<std::string>> whole_;
  std::unordered_map<std::u32string, std::vector<std::string>> endings_;
};

}  // namespace elmo
