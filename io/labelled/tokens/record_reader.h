// JSON Lines with a label a token.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "io/labelled/common/labelled_reader.h"
#include "io/text/bytes/byte_window.h"
#include "io/text/formats/format_reader.h"
#include "io/text/formats/record_lines.h"

namespace elmo {

/// See labelled_sentences.h.
class RecordReader : public LabelledReader {
 public:
  /// `window` and `context` outlive this.
  RecordReader(ByteWindow& window, std::string name, ReadingContext& context, bool labelled)
      : name_(std::move(name)), context_(context), labelled_(labelled), lines_(window) {}

  bool next(LabelledSentence& labelled) override;

 private:
  void read_record(std::string_view json, LabelledSentence& labelled);

  std::string name_;
  ReadingContext& context_;
  bool labelled_;
  RecordLines lines_;
  RepairedText line_;
};

}  // namespace elmo
