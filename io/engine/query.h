// Queries for a word in its sentence, such as: He sat on the [bank] of the river.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/inference/options.h"
#include "core/inference/sentence.h"
#include "core/model/bilm.h"
#include "io/text/input/input_options.h"

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

/// Returns a query for the blank-separated token number `word`, from 0, of a sentence without
/// brackets. InputError if there is no such token, and for a sentence that is too long, as above.
BracketedQuery read_token_query(std::string_view text, std::size_t word);

/// The tokens of a sentence, joined by spaces, with the word in brackets.
std::string bracketed_text(const Sentence& sentence, std::size_t begin, std::size_t end);

/// Computes the activations of the queries' words, averaged over their tokens: [queries, R · W].
/// Errors: as embed().
std::vector<float> query_vectors(const Bilm& model, const EmbedOptions& options,
                                 std::span<const BracketedQuery> queries,
                                 const Resources& resources = {});

/// Answers standard input. Calls `read` with each line of FileLines and its number, and then
/// `answer`: after `together` lines, or as soon as no other line has arrived; if `all`, only at the
/// end. Lines are read ahead. Adds the line to an InputError of `read`, and answers the lines
/// before it first. Other errors: as FileLines.
void answer_lines(std::size_t together, bool all,
                  const std::function<void(const std::string& line, std::uint64_t number)>& read,
                  const std::function<void()>& answer);

}  // namespace elmo
