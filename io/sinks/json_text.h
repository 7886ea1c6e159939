// Text, numbers and sentences as JSON spells them.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/inference/sentence.h"
#include "io/json/number_text.h"

namespace elmo {

/// In quotes, with what has to be escaped; bytes that are no UTF-8 become U+FFFD.
std::string json_text(std::string_view text);

/// The shortest text that reads back as the same number. JSON has no infinities and no NaN: null.
template <typename Number>
std::string json_number(Number number) {
  if constexpr (std::is_floating_point_v<Number>) {
    if (!std::isfinite(number)) return "null";
  }
  return number_text(number);
}

/// Appends how the record of a sentence begins, whatever else it holds: an object with its
/// document's id, its `number` in the input and its line. The object is still open.
void append_place(std::string& json, std::string_view document, std::uint64_t number,
                  std::uint64_t line);

/// Appends one more member to such an object: the kept tokens, their spans, or their places in the
/// sentence, from 0, in a list called `name`.
void append_tokens(std::string& json, const Sentence& sentence, std::string_view name = "tokens");
void append_spans(std::string& json, const Sentence& sentence, std::string_view name = "spans");

void append_positions(std::string& json, const Sentence& sentence);

/// append_place and append_tokens.
void append_sentence(std::string& json, const Sentence& sentence, std::uint64_t number);

}  // namespace elmo
