// The tokens of a text.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/enum_table.h"
#include "core/inference/sentence.h"
#include "io/engine/model.h"
#include "io/files/descriptor.h"
#include "io/text/input/input_options.h"
#include "io/text/input/text_source.h"

namespace elmo {

enum class TokenFormat { tokens, jsonl, conllu };
inline constexpr auto kTokenFormats = enum_table<TokenFormat>({{"tokens", TokenFormat::tokens},
                                                               {"jsonl", TokenFormat::jsonl},
                                                               {"conllu", TokenFormat::conllu}});

/// Formats sentences in order as CoNLL-U (universaldependencies.org/format.html), for taggers and
/// parsers. One thread at a time.
class ConlluText {
 public:
  /// Returns the sentence with the comments newdoc, newpar, sent_id and text. Each token has ID and
  /// FORM, and SpaceAfter=No if the next token follows without white space; the words of a
  /// contraction follow the line of their range. In `text`, white space is one blank. Returns an
  /// empty string for a sentence without tokens, which CoNLL-U does not allow.
  std::string text_of(const Sentence& sentence);

 private:
  std::shared_ptr<const Document> document_;
  bool paragraph_begins_ = false;
  std::uint64_t sentences_ = 0;
};

struct TokenizeRequest {
  InputOptions input;
  ModelSpec model;  ///< use its tokenizer; only `model` is set
  TokenFormat format = TokenFormat::tokens;
};

struct TokenizeSummary {
  InputCounters input;
  /// Tokens that a reader of the format `tokens` would read as several tokens, or as none.
  std::uint64_t divided = 0;
  std::uint64_t empty_left_out = 0;  ///< sentences without tokens, which CoNLL-U cannot hold
};

/// Writes the tokens of the input to `output`, which it flushes before it waits for more input and
/// at the end. Errors: as locate_model and open_source.
TokenizeSummary run_tokenize(const TokenizeRequest& request, BufferedOutput& output);

}  // namespace elmo
