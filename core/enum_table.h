// Tables of the words that spell an enum's values: one table for each enum, declared beside it.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "core/text.h"

namespace elmo {

/// An enum value and the word for it.
template <typename Enum>
struct EnumWord {
  std::string_view word;
  Enum value;
};

/// The words for an enum's values in options, files and reports, looked up in both directions.
/// Built at compile time; a duplicate word or value does not compile. Any thread.
template <typename Enum, std::size_t size>
class EnumTable {
 public:
  constexpr explicit EnumTable(const std::array<EnumWord<Enum>, size>& entries)
      : entries_(entries) {
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (entries_[i].word == entries_[j].word || entries_[i].value == entries_[j].value) {
          throw std::logic_error("an enum's table holds a word or a value twice");
        }
      }
    }
  }

  /// The word for `value`. std::logic_error if the table lacks it.
  constexpr std::string_view word(Enum value) const {
    for (const EnumWord<Enum>& entry : entries_) {
      if (entry.value == value) return entry.word;
    }
    throw std::logic_error("an enum's table lacks a value");
  }

  /// The value that `word` spells; nothing if the table lacks it.
  constexpr std::optional<Enum> find(std::string_view word) const {
    for (const EnumWord<Enum>& entry : entries_) {
      if (entry.word == word) return entry.value;
    }
    return std::nullopt;
  }

  /// All words, for messages: "float32, bfloat16, int8".
  std::string words() const { return joined(entries_, ", ", &EnumWord<Enum>::word); }

  /// The table of only these values, in the order given, for an option with fewer choices.
  template <Enum... values>
  constexpr EnumTable<Enum, sizeof...(values)> only() const {
    return EnumTable<Enum, sizeof...(values)>({EnumWord<Enum>{word(values), values}...});
  }

  constexpr auto begin() const { return entries_.begin(); }
  constexpr auto end() const { return entries_.end(); }

 private:
  std::array<EnumWord<Enum>, size> entries_;
};

/// Makes a table: enum_table<Precision>({{"float32", Precision::float32}, …}).
template <typename Enum, std::size_t size>
constexpr EnumTable<Enum, size> enum_table(const EnumWord<Enum> (&entries)[size]) {
  return EnumTable<Enum, size>(std::to_array(entries));
}

}  // namespace elmo
