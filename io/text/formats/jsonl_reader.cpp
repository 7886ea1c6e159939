// The reader of JSON Lines.
#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "io/json/json_fields.h"
#include "io/text/formats/readers.h"
#include "io/text/segment/characters.h"
#include "io/text/segment/utf8.h"

namespace elmo {

bool is_name_of_records(std::string_view name) {
  constexpr std::array kRecordEndings = {".jsonl", ".ndjson", ".jsonlines", ".ldjson", ".json"};
  return std::ranges::any_of(kRecordEndings,
                             [name](const char* ending) { return name.ends_with(ending); });
}

namespace {

/// The fields of a record that are read.
struct JsonRecord {
  std::string text;
  std::vector<std::string> tokens;         ///< instead of a text
  std::vector<std::size_t> sentence_ends;  ///< the index past the last token of each sentence;
                                           ///< empty: there is a text
  std::optional<std::string> id;           ///< a number is kept as written (up to 64 bits)
};

/// Returns the code unit of the escape \uXXXX at `position`, or -1 without one there.
int escaped_unit(std::string_view json, std::size_t position) {
  const std::string_view escape = json.substr(position, 6);
  if (escape.size() < 6 || !escape.starts_with("\\u")) return -1;
  int unit = 0;
  const char* end = escape.data() + escape.size();
  return std::from_chars(escape.data() + 2, end, unit, 16).ptr == end ? unit : -1;
}

bool is_high_surrogate(int unit) { return unit >= 0xd800 && unit <= 0xdbff; }
bool is_low_surrogate(int unit) { return unit >= 0xdc00 && unit <= 0xdfff; }

constexpr const char* kTokensField = "tokens";

/// Takes the lists of `field` as sentences. InputError for tokens that no output can hold.
void take_tokens(JsonField& field, JsonRecord& record) {
  record.sentence_ends = std::move(field.list_ends);
  if (field.kind == JsonField::Kind::list) record.sentence_ends = {field.list.size()};
  for (const std::string& token : field.list) {
    if (token.find('\0') != std::string::npos) {
      throw InputError("found a NUL in a token; expected text");
    }
    if (token.size() > kMaxSentenceBytes) {
      throw InputError("found a token of " + std::to_string(token.size()) +
                       " bytes; expected at most " + std::to_string(kMaxSentenceBytes));
    }
  }
  record.tokens = std::move(field.list);
}

/// Returns the fields of the object in `json` (valid UTF-8) that are read. If a field occurs twice,
/// the last one counts. InputError with what was found and expected; the caller adds the location.
/// Memory stays within a small multiple of the size of the text, whatever its nesting.
JsonRecord parse_json_record(std::string_view json, const std::string& text_field,
                             const std::string& id_field) {
  // A field may serve several purposes: the first of that name is found.
  const std::array<std::string, 3> names = {text_field, id_field, kTokensField};
  std::vector<JsonField> fields = parse_json_fields(json, names);
  const auto field_of = [&](const std::string& name) -> JsonField& {
    return fields[static_cast<std::size_t>(std::ranges::find(names, name) - names.begin())];
  };
  const JsonField& id = field_of(id_field);
  if (!id.is_text() && id.kind != JsonField::Kind::absent) {
    refuse_field(id, id_field, "a string or a number");
  }
  JsonRecord record;
  if (id.is_text()) record.id = id.text;
  JsonField& text = field_of(text_field);
  JsonField& tokens = field_of(kTokensField);
  using Kind = JsonField::Kind;
  const bool listed = tokens.kind == Kind::list || tokens.kind == Kind::lists;
  if (text.kind == Kind::text) {
    record.text = text.text;
  } else if (&text == &tokens ? listed : text.is_absent() && listed) {
    take_tokens(tokens, record);
  } else if (text.is_absent() && !tokens.is_absent()) {
    refuse_field(tokens, kTokensField, "a list of strings, or a list of such lists");
  } else if (std::string_view(text.found) == "no") {
    throw InputError("found no field '" + text_field + "' and no field '" + kTokensField +
                     "'; expected a string in the one, or a list of strings in the other");
  } else {
    refuse_field(text, text_field, "a string");
  }
  return record;
}

/// The sentences of a record with tokens. Spans are positions in a text that has each sentence as a
/// line, with one space between its tokens.
class ListedTokens final : public FormatReader {
 public:
  ListedTokens(const TextInput& input, const JsonRecord& record)
      : FormatReader(input), record_(record) {}

  bool next(Sentence& sentence) override {
    if (next_end_ == record_.sentence_ends.size()) return false;
    sentence.document = document_;
    if (token_ == record_.sentence_ends[next_end_]) ++offset_;
    for (; token_ < record_.sentence_ends[next_end_]; ++token_) {
      text_.assign(record_.tokens[token_]);
      if (sentence.token_bytes() + text_.text().size() > kMaxSentenceBytes) {
        ++context_.counters.cut_sentences;
        return true;
      }
      context_.add_given(text_, {0, text_.text().size()}, offset_, sentence);
      offset_ = sentence.spans().back().end + 1;
    }
    ++next_end_;
    return true;
  }

 private:
  const JsonRecord& record_;
  RepairedText text_;
  std::size_t token_ = 0;
  std::size_t next_end_ = 0;
  std::uint64_t offset_ = 0;
};

/// Returns the position at or after `from` of the first escape \uD800 to \uDFFF that is not part of
/// a surrogate pair, or npos. Such an escape is not a character, and not every JSON reader accepts
/// it, but it occurs in real files.
std::size_t find_lone_surrogate(std::string_view json, std::size_t from) {
  std::size_t position = json.find('\\', from);
  while (position < json.size()) {
    const int unit = escaped_unit(json, position);
    std::size_t escape = 2;
    if (is_high_surrogate(unit) && is_low_surrogate(escaped_unit(json, position + 6))) {
      escape = 12;
    } else if (is_high_surrogate(unit) || is_low_surrogate(unit)) {
      return position;
    }
    position = json.find('\\', position + escape);
  }
  return std::string_view::npos;
}

/// Replaces escapes of lone surrogates with the escape of U+FFFD and returns their number.
std::uint64_t mend_surrogates(std::string& json) {
  std::uint64_t count = 0;
  for (std::size_t lone = find_lone_surrogate(json, 0); lone != std::string_view::npos;
       lone = find_lone_surrogate(json, lone)) {
    json.replace(lone, 6, "\\ufffd");
    ++count;
  }
  return count;
}

}  // namespace

void take_back_repairs(const JsonField& marked, JsonField& field) {
  field.text = before_repair(field.text, marked.text);
  for (std::size_t i = 0; i < field.list.size() && i < marked.list.size(); ++i) {
    field.list[i] = before_repair(field.list[i], marked.list[i]);
  }
}

namespace {

class JsonlReader final : public FormatReader {
 public:
  explicit JsonlReader(const TextInput& input)
      : FormatReader(input), lines_(input.window, input.line) {}

  bool next(Sentence& sentence) override {
    while (!text_reader_ || !text_reader_->next(sentence)) {
      if (!begin_record()) return false;
    }
    sentence.set_line(lines_.number());
    return true;
  }

  const UnitBegin* unit() const override { return &unit_; }

 private:
  /// Advances to the next well-formed record; returns false at the end of the file.
  bool begin_record() {
    do {
      if (!lines_.next()) return false;
      unit_ = {lines_.offset(), lines_.number(), context_.counters};
    } while (!parse_record());
    auto document = record_.id ? context_.begin_document(*record_.id)
                               : context_.begin_numbered_document(lines_.number());
    if (context_.options.whole_records) {
      // Replaces one byte of white space with another: tokens and spans do not change.
      std::ranges::replace(record_.text, '\n', ' ');
      if (!record_.sentence_ends.empty()) record_.sentence_ends = {record_.tokens.size()};
    }
    text_.emplace(std::string_view(record_.text));
    const TextInput text{*text_, name_, context_, std::move(document)};
    if (!record_.sentence_ends.empty()) {
      text_reader_ = std::make_unique<ListedTokens>(text, record_);
    } else if (context_.options.whole_records) {
      text_reader_ = make_line_reader(LineTokens::segmented, text);
    } else {
      text_reader_ = make_raw_text_reader(text);
    }
    return true;
  }

  /// Parses the line into record_; returns false if it is blank or must be skipped.
  bool parse_record() {
    const std::string_view json = repair_line();
    try {
      if (lines_.too_long()) {
        throw InputError("found more than " + std::to_string(kMaxRecordBytes) +
                         " bytes; expected smaller records");
      }
      if (is_blank_line(json)) return false;
      record_ = parse_json_record(json, context_.options.text_field, context_.options.id_field);
      if (line_.first_repair() != RepairedText::npos) take_back_repairs();
      return true;
    } catch (const InputError& error) {
      if (context_.options.skip_bad_records) {
        ++context_.counters.bad_records;
        return false;
      }
      throw InputError(where() + error.what(), Remedy{"skip_bad_records"});
    }
  }

  /// Returns the line as valid UTF-8 without lone surrogates.
  std::string_view repair_line() {
    line_.assign(lines_.line());
    context_.count_repairs(line_, window_.view(), name_, lines_.offset());
    const std::size_t lone = find_lone_surrogate(line_.text(), 0);
    if (lone == std::string_view::npos) return line_.text();
    if (context_.options.strict) {
      throw InputError(where() + "found a surrogate escape without its other half at byte " +
                           std::to_string(lone) + " of the record; expected characters",
                       Remedy{"repair_text"});
    }
    mended_line_ = line_.text();
    context_.counters.invalid_sequences += mend_surrogates(mended_line_);
    return mended_line_;
  }

  /// Restores the ill-formed bytes of the record's text or tokens: their reader repairs them again,
  /// so that spans count the original bytes.
  void take_back_repairs() {
    std::string marked = line_.marked();
    mend_surrogates(marked);
    const JsonRecord record =
        parse_json_record(marked, context_.options.text_field, context_.options.id_field);
    for (std::size_t token = 0; token < record_.tokens.size(); ++token) {
      record_.tokens[token] = before_repair(record_.tokens[token], record.tokens[token]);
    }
    record_.text = before_repair(record_.text, record.text);
    RepairedText text;
    text.assign(record_.text);
    context_.counters.invalid_sequences -= text.repairs_within(RepairedText::npos);
  }

  std::string where() const { return name_ + ": line " + std::to_string(lines_.number()) + ": "; }

  RecordLines lines_;
  RepairedText line_;
  UnitBegin unit_;           // the record
  std::string mended_line_;  // the line with replaced escapes, if there were any

  // The record whose text is being read.
  JsonRecord record_;
  std::optional<ByteWindow> text_;
  std::unique_ptr<FormatReader> text_reader_;
};

}  // namespace

std::unique_ptr<FormatReader> make_jsonl_reader(const TextInput& input) {
  return std::make_unique<JsonlReader>(input);
}

}  // namespace elmo
