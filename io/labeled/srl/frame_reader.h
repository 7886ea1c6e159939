// Sentences with frames, a record at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/inference/sentence.h"
#include "io/text/bytes/byte_window.h"
#include "io/text/formats/format_reader.h"
#include "io/text/formats/record_lines.h"

namespace elmo {

/// A sentence with its predicates, and, where labels are read, the BIO label of each token of each
/// frame.
struct FramedSentence {
  Sentence sentence;
  std::vector<std::int32_t> given;  ///< predicates, or kFindPredicates alone
  std::vector<std::string> labels;  ///< [predicates, tokens]
};

/// The sentences of one file. One thread at a time.
class FrameReader {
 public:
  virtual ~FrameReader() = default;

  /// Replaces `framed` by the next sentence; false at the end. InputError, naming the line but not
  /// the file, for what the format does not allow. May be called again after WouldWait.
  virtual bool next(FramedSentence& framed) = 0;
};

/// What a file is read with.
struct FrameReading {
  ByteWindow& window;       ///< its bytes
  ReadingContext& context;  ///< of the run
  std::string name;         ///< of the file, for its document
  bool labeled = true;      ///< else labels are not looked at, and may be missing
};

/// JSON Lines; see frame_examples.h. What `reading` refers to has to outlive the reader.
std::unique_ptr<FrameReader> frame_records(const FrameReading& reading);

/// Columns of CoNLL-2012 and CoNLL-2005; likewise.
std::unique_ptr<FrameReader> frame_columns(const FrameReading& reading);

/// InputError for more tokens than kDefaultMaxSentenceTokens.
void check_sentence_length(std::size_t tokens);

}  // namespace elmo
