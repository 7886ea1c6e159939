// JSON Lines: one document per line.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/json/json_fields.h"
#include "io/text/bytes/byte_stream.h"
#include "io/text/formats/format_reader.h"

namespace elmo {

/// True for names of files of JSON records, without an extension of compression: .jsonl, .ndjson,
/// .jsonlines, .ldjson and .json.
bool is_name_of_records(std::string_view name);

/// The fields of a record that are read.
struct JsonRecord {
  std::string text;
  std::vector<std::string> tokens;         ///< instead of a text
  std::vector<std::size_t> sentence_ends;  ///< the index past the last token of each sentence;
                                           ///< empty: there is a text
  std::optional<std::string> id;           ///< a number is kept as written (up to 64 bits)
};

/// Applies before_repair() to the strings of a text or list. `marked` is the same field, parsed
/// from the marked line.
void take_back_repairs(const JsonField& marked, JsonField& field);

/// The sentences of each record's text or, if it has `tokens`, these sentences unchanged. Escapes
/// of lone surrogates are handled like invalid UTF-8: read as U+FFFD and counted, or refused under
/// `strict`. `strict` overrides `skip_bad_records`.
class JsonlReader : public FormatReader {
 public:
  explicit JsonlReader(const TextInput& input);

  bool next(Sentence& sentence) override;
  const UnitBegin* unit() const override { return &unit_; }

 private:
  bool begin_record();
  bool parse_record();
  std::string_view repair_line();
  void take_back_repairs();
  std::string where() const;

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
