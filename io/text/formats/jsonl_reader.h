// JSON Lines: one document per line.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "io/text/bytes/byte_window.h"
#include "io/text/formats/format_reader.h"
#include "io/text/formats/json_record.h"
#include "io/text/formats/record_lines.h"

namespace elmo {

/// The sentences of each record's text. Escapes of lone surrogates are handled like invalid UTF-8:
/// read as U+FFFD and counted, or refused under `strict`. `strict` overrides `skip_bad_records`.
class JsonlReader : public FormatReader {
 public:
  JsonlReader(ByteWindow& window, std::string name, ReadingContext& context,
              const TextStretch& stretch = {});

  bool next(Sentence& sentence) override;
  const UnitBegin* unit() const override { return &unit_; }

 private:
  bool begin_record();
  bool parse_record();
  std::string_view repair_line();
  void take_back_repairs();
  std::string where() const;

  std::string name_;
  ReadingContext& context_;
  RecordLines lines_;
  RepairedText line_;
  UnitBegin unit_;           // the record
  std::string mended_line_;  // the line with replaced escapes, if there were any

  // The record whose text is being read.
  JsonRecord record_;
  std::optional<ByteWindow> text_;
  std::unique_ptr<FormatReader> text_reader_;
};

}  // namespace elmo
