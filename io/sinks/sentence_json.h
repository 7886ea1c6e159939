// Sentences as JSON.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/inference/sentence.h"

namespace elmo {

/// Appends the beginning of a sentence's record: an object with the document's id, the sentence's
/// `number` in the input and its line. The object is left open.
void append_place(std::string& json, std::string_view document, std::uint64_t number,
                  std::uint64_t line);

/// Appends one member to such an object: the kept tokens, their spans, or their positions in the
/// sentence, counted from 0, as a list called `name`.
void append_tokens(std::string& json, const Sentence& sentence, std::string_view name = "tokens");
void append_spans(std::string& json, const Sentence& sentence, std::string_view name = "spans");

void append_positions(std::string& json, const Sentence& sentence);

/// Calls append_place and append_tokens.
void append_sentence(std::string& json, const Sentence& sentence, std::uint64_t number);

}  // namespace elmo
