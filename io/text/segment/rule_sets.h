// Sets for the rules of a language. Looking something up takes a time that does not depend on the
// size of the set.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace elmo {

/// A set of signs. Rules add and look up folded ones (fold_character).
class SignSet {
 public:
  void add(char32_t sign);
  bool contains(char32_t sign) const {
    return sign < kAscii ? ascii_[sign] : !others_.empty() && others_.contains(sign);
  }

 private:
  static constexpr char32_t kAscii = 128;
  std::bitset<kAscii> ascii_;
  std::unordered_set<char32_t> others_;
};

/// Emoticons, found by their first character and their sizes.
class Emoticons {
 public:
  static constexpr std::size_t kMaxCharacters = 16;
  using Sizes = std::bitset<kMaxCharacters + 1>;

  /// Adds one of 1 to kMaxCharacters characters, without combining marks.
  void add(const std::u32string& emoticon);

  /// Returns the sizes of those that begin with a character, as a set of bits.
  Sizes sizes(char32_t first) const {
    if (first < ascii_.size()) return ascii_[first];
    const auto found = others_.find(first);
    return found == others_.end() ? Sizes() : found->second;
  }

  bool contains(const std::u32string& emoticon) const { return all_.contains(emoticon); }

 private:
  std::unordered_set<std::u32string> all_;
  // By first character.
  std::array<Sizes, 128> ascii_;
  std::unordered_map<char32_t, Sizes> others_;
};

/// Beginnings or endings of words, found by their sizes.
class Affixes {
 public:
  static constexpr std::size_t kMaxBytes = 64;

  /// Adds one of at most kMaxBytes bytes.
  void add(const std::string& affix);

  bool empty() const { return all_.empty(); }

  /// True if `word` ends with one of them and is longer.
  bool end(std::string_view word) const;

  /// True if `text` begins with one of them.
  bool begin(std::string_view text) const;

 private:
  std::unordered_set<std::string> all_;
  std::bitset<kMaxBytes + 1> sizes_;
};

/// Abbreviations of several parts that may be written with blanks: z. B., EE. UU., e . V .
class SpacedAbbreviations {
 public:
  /// Adds an abbreviation, without its last full stop, if it has several parts: "z.B".
  void add(const std::string& abbreviation);

  struct Match {
    std::string whole;     ///< the abbreviation without its last full stop; empty: none
    std::size_t size = 0;  ///< of the other parts in the text
  };

  /// Returns the abbreviation whose first part is `first`, if the text after that and its full stop
  /// begins with the other parts.
  Match match(const std::string& first, std::string_view after) const;

 private:
  static constexpr std::size_t kMaxParts = 8;
  std::unordered_map<std::string, std::vector<std::string>> rest_;  // by first part
};

}  // namespace elmo
