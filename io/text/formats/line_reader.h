// One sentence per line.
#pragma once

#include <cstdint>

#include "io/text/formats/format_reader.h"

namespace elmo {

/// The rule that splits a line into tokens.
enum class LineTokens {
  segmented,   ///< the tokenizer
  white_space  ///< bytes 0x00 to 0x20, which are ASCII white space and most ASCII controls
};

/// True if a byte separates tokens.
inline bool is_token_separator(char byte) { return static_cast<unsigned char>(byte) <= 0x20; }

/// Each line is a sentence; it ends with LF, CR LF or the end of the text. An empty line has zero
/// tokens. An empty text, which only a record can have, is one sentence of zero tokens. A line
/// longer than kMaxSentenceBytes is cut into several sentences.
class LineReader : public FormatReader {
 public:
  LineReader(LineTokens tokens, const TextInput& input);

  bool next(Sentence& sentence) override;
  const UnitBegin* unit() const override { return &unit_; }

 private:
  void add_white_space_tokens(Sentence& sentence);

  LineTokens tokens_;
  RepairedText text_;
  std::uint64_t line_;  // line of the last returned sentence
  bool begun_ = false;
  bool line_ended_ = true;
  UnitBegin unit_;
};

}  // namespace elmo
