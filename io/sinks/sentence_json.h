// Sentences as JSON spells them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/inference/sentence.h"

namespace elmo {

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
