// The tokens of a text.
#pragma once

#include <cstdint>

#include "core/enum_table.h"
#include "io/engine/model.h"
#include "io/files/descriptor.h"
#include "io/text/input/input_options.h"
#include "io/text/input/text_source.h"

namespace elmo {

enum class TokenFormat { tokens, jsonl, conllu };
inline constexpr auto kTokenFormats = enum_table<TokenFormat>({{"tokens", TokenFormat::tokens},
                                                               {"jsonl", TokenFormat::jsonl},
                                                               {"conllu", TokenFormat::conllu}});

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
