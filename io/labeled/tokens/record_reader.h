// JSON Lines with one label per token.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "io/labeled/common/labeled_reader.h"
#include "io/text/bytes/byte_window.h"
#include "io/text/formats/format_reader.h"
#include "io/text/formats/record_lines.h"

namespace elmo {

/// See labeled_sentences.h.
class RecordReader : public LabeledReader {
 public:
  /// `window` and `context` must outlive this object.
  RecordReader(ByteWindow& window, std::string name, ReadingContext& context, bool labeled)
      : name_(std::move(name)), context_(context), labeled_(labeled), lines_(window) {}

  bool next(LabeledSentence& labeled) override;

 private:
  void read_record(std::string_view json, LabeledSentence& labeled);

  std::string name_;
  ReadingContext& context_;
  bool labeled_;
  RecordLines lines_;
  RepairedText line_;
};

}  // namespace elmo
