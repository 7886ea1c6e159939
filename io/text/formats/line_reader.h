// A sentence a line.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "io/text/bytes/byte_window.h"
#include "io/text/formats/format_reader.h"

namespace elmo {

/// What makes the tokens of a line.
enum class LineTokens {
  segmented,   ///< the tokenizer
  white_space  ///< bytes from 0x00 to 0x20, that is ASCII's white space and most of its controls
};

/// Whether a byte is white space between two tokens.
inline bool is_token_separator(char byte) { return static_cast<unsigned char>(byte) <= 0x20; }

/// Each line, ending with LF, CR LF or the text, is a sentence; an empty one has zero tokens, and
/// so has the one sentence of an empty text (of a record: files have more). A line longer than
/// kMaxSentenceBytes is cut into several.
class LineReader : public FormatReader {
 public:
  LineReader(LineTokens tokens, ByteWindow& window, std::string name,
             std::shared_ptr<const Document> document, ReadingContext& context,
             const TextStretch& stretch = {});

  bool next(Sentence& sentence) override;
  const UnitBegin* unit() const override { return &unit_; }

 private:
  void add_segmented_tokens(Sentence& sentence);
  void add_white_space_tokens(Sentence& sentence);

  LineTokens tokens_;
  ByteWindow& window_;
  std::string name_;
  std::shared_ptr<const Document> document_;
  ReadingContext& context_;
  RepairedText text_;
  std::uint64_t line_;  // of the sentence handed out last
  bool begun_ = false;
  bool line_ended_ = true;
  UnitBegin unit_;
};

}  // namespace elmo
