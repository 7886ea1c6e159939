#include "io/labeled/text_form.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "io/json/json_fields.h"
#include "io/labeled/coref_examples.h"
#include "io/labeled/token_examples.h"
#include "io/text/bytes/byte_order_mark.h"
#include "io/text/bytes/byte_stream.h"
#include "io/text/bytes/decompression.h"
#include "io/text/bytes/file_bytes.h"
#include "io/text/input/input_files.h"
#include "io/text/segment/characters.h"
#include "io/text/segment/utf8.h"

namespace elmo {
namespace {

/// The first line that is not blank. Empty without one, or if the input can be read only once.
std::string first_line_of(const std::string& file) {
  if (can_be_read_only_once(file)) return {};
  ByteWindow window(open_file(file));
  pass_over_byte_order_mark(window, file);
  RecordLines lines(window);
  while (lines.next()) {
    RepairedText line;
    line.assign(lines.line());
    if (!is_blank_line(line.text())) return std::string(line.text());
  }
  return {};
}

}  // namespace

TextForm form_of_records(const std::string& file) {
  const std::string_view name = without_compression(file);
  if (name.ends_with(".json") || name.ends_with(".jsonl")) return TextForm::jsonl;
  if (name.ends_with(".conll") || name.ends_with("_conll")) return TextForm::columns;
  if (name.ends_with(".tsv") && is_gap_header(first_line_of(file))) return TextForm::columns;
  return is_name_of_conllu(name) ? TextForm::conllu : TextForm::text;
}

TextForm form_of_file(const std::string& file, const ExampleShape& shape) {
  const std::string_view name = without_compression(file);
  const auto ends_in = [name](std::string_view ending) { return name.ends_with(ending); };
  if (is_name_of_conllu(name)) return TextForm::conllu;
  if (ends_in(".jsonl")) return TextForm::jsonl;
  if (shape.token_labels) {
    constexpr std::array<std::string_view, 6> kEndings = {".conll", ".iob",   ".iob2",
                                                          ".bio",   ".bioes", ".tsv"};
    return std::ranges::any_of(kEndings, ends_in) ? TextForm::columns : TextForm::text;
  }
  return ends_in(".tsv") ? TextForm::columns : TextForm::text;
}

bool lacks_label(const std::string& file, const ExampleShape& shape) {
  const std::string line = first_line_of(file);
  const auto tabs = static_cast<std::size_t>(std::ranges::count(line, '\t'));
  return !line.empty() && tabs + 1 == shape.texts;
}

bool holds_token_records(const std::string& file, const std::string& text_field) {
  const std::string line = first_line_of(file);
  if (line.empty()) return false;
  const std::array<std::string, 2> names = {text_field, "tokens"};
  try {
    const std::vector<JsonField> fields = parse_json_fields(line, names);
    return fields[0].kind == JsonField::Kind::absent && fields[1].kind == JsonField::Kind::list;
  } catch (const InputError&) {
    return false;  // the reader of the file reports or skips it
  }
}

}  // namespace elmo
