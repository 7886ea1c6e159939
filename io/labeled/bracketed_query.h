// Queries for a word in its sentence: He sat on the [bank] of the river.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/inference/sentence.h"
#include "io/text/source/text_source.h"

namespace elmo {

/// A sentence and the word in it that is meant, which may be several tokens.
struct BracketedQuery {
  Sentence sentence;      ///< without the brackets
  std::size_t begin = 0;  ///< first token of the word
  std::size_t end = 0;    ///< past its last one
};

/// Whether `text` has something in [brackets], and so may be a query.
bool has_brackets(std::string_view text);

/// Reads one line of text. `reading` says what makes its tokens: icu's words, or, for the formats
/// tokens and conllu, white space. The word is all tokens that stand between the brackets, if only
/// in part. InputError saying what was found and what was expected where there is not exactly one
/// pair of brackets around some word, or the sentence has more than kDefaultMaxSentenceTokens;
/// RequestError as open_source.
BracketedQuery read_bracketed_query(std::string_view text, const InputOptions& reading);

/// The tokens of a sentence with spaces between them and the word in brackets.
std::string bracketed_text(const Sentence& sentence, std::size_t begin, std::size_t end);

}  // namespace elmo
