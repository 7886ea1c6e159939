// Queries for a word in its sentence, such as: He sat on the [bank] of the river.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/inference/sentence.h"
#include "io/text/input/text_source.h"

namespace elmo {

/// A sentence and the word in question, which may be several tokens.
struct BracketedQuery {
  Sentence sentence;      ///< without the brackets
  std::size_t begin = 0;  ///< first token of the word
  std::size_t end = 0;    ///< after its last token
};

/// True if `text` has something in [brackets], and so may be a query.
bool has_brackets(std::string_view text);

/// Parses one line of text. The tokenizer of `reading` makes the tokens; for the formats tokens and
/// conllu, white space separates them. The word is all tokens that are at least partly between the
/// brackets. InputError, with what was found and what was expected, unless exactly one pair of
/// brackets is around a word, and for a sentence of more than kDefaultMaxSentenceTokens tokens.
/// RequestError as open_source.
BracketedQuery read_bracketed_query(std::string_view text, const InputOptions& reading);

/// The tokens of a sentence, joined by spaces, with the word in brackets.
std::string bracketed_text(const Sentence& sentence, std::size_t begin, std::size_t end);

}  // namespace elmo
