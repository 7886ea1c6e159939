// Reads sentences with frames, one record at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/inference/sentence.h"
#include "io/text/bytes/byte_stream.h"
#include "io/text/formats/format_reader.h"

namespace elmo {

/// A sentence with its predicates and, if labels are read, the BIO label of each token of each
/// frame.
struct FramedSentence {
  Sentence sentence;
  std::vector<std::int32_t> given;  ///< predicates, or only kFindPredicates
  std::vector<std::string> labels;  ///< [predicates, tokens]
};

/// Reads the sentences of one file. One thread at a time.
class FrameReader {
 public:
  virtual ~FrameReader() = default;

  /// Replaces `framed` by the next sentence. Returns false at the end. InputError, naming the line
  /// but not the file, for violations of the format.
  virtual bool next(FramedSentence& framed) = 0;
};

/// Input of a reader.
struct FrameReading {
  ByteWindow& window;       ///< bytes of the file
  ReadingContext& context;  ///< of the run
  std::string name;         ///< of the file, for its document
  bool labeled = true;      ///< else labels are ignored and may be missing
};

/// JSON Lines; see frame_examples.h. The referents of `reading` must outlive the reader.
std::unique_ptr<FrameReader> frame_records(const FrameReading& reading);

/// Columns of CoNLL-2012 and CoNLL-2005. The referents of `reading` must outlive the reader.
std::unique_ptr<FrameReader> frame_columns(const FrameReading& reading);

/// InputError if `tokens` exceeds kDefaultMaxSentenceTokens.
void check_sentence_length(std::size_t tokens);

}  // namespace elmo
