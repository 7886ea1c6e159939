#include "io/labeled/example_file.h"

#include <algorithm>
#include <array>
#include <utility>

#include "io/files/descriptor.h"
#include "io/foreign_content.h"
#include "io/json/json_document.h"
#include "io/json/json_fields.h"
#include "io/text/bytes/decompression.h"
#include "io/text/bytes/encoding.h"
#include "io/text/bytes/file_bytes.h"
#include "io/text/formats/conllu_reader.h"
#include "io/text/formats/readers.h"
#include "io/text/input/input_files.h"
#include "io/text/segment/characters.h"
#include "io/text/segment/normalization.h"

namespace elmo {
namespace {

using namespace std::string_view_literals;

/// Passes the bytes of a file through. Invalid UTF-8 is an InputError, see
/// ReadingContext::check_repairs, or is counted.
class CheckedBytes final : public ByteSource {
 public:
  /// `file` must outlive this object.
  CheckedBytes(std::unique_ptr<ByteSource> bytes, OpenedFile& file)
      : bytes_(std::move(bytes)), file_(file) {}

  std::size_t read(char* data, std::size_t size) override {
    const std::size_t count = bytes_->read(data, size);
    check(std::string_view(data, count));
    return count;
  }

 private:
  /// Empty `bytes` mark the end.
  void check(std::string_view bytes) {
    // The reader of a byte order mark of another encoding reports that encoding.
    constexpr std::array kOtherMarks = {"\xff\xfe"sv, "\xfe\xff"sv, "\0\0\xfe\xff"sv};
    if (offset_ == 0 && std::ranges::any_of(kOtherMarks, [bytes](std::string_view mark) {
          return bytes.starts_with(mark);
        })) {
      return;
    }
    unchecked_ += bytes;
    const std::size_t size =
        bytes.empty() ? unchecked_.size() : size_of_complete_characters(unchecked_);
    text_.assign(std::string_view(unchecked_).substr(0, size));
    file_.context.check_repairs(text_, unchecked_, file_.input.file, offset_);
    file_.invalid_sequences += text_.repairs_within(RepairedText::npos);
    offset_ += size;
    unchecked_.erase(0, size);
  }

  std::unique_ptr<ByteSource> bytes_;
  OpenedFile& file_;
  std::string unchecked_;     // begins with a character that may be incomplete
  std::uint64_t offset_ = 0;  // of unchecked_
  RepairedText text_;
};

FormatOptions format_options(const ExampleInput& input, bool segments) {
  FormatOptions options;
  options.format = segments ? InputFormat::text : InputFormat::tokens;
  options.tokenizer = input.tokenizer;
  options.strict = input.strict;
  options.skip_bad_records = input.skip_bad_records;
  return options;
}

std::unique_ptr<ByteSource> open_bytes(OpenedFile& file) {
  std::unique_ptr<ByteSource> bytes = open_file(file.input.file, &file.state);
  return file.input.through ? file.input.through(std::move(bytes)) : std::move(bytes);
}

bool names_columns(std::string_view name, const ExampleFormat& format) {
  return std::ranges::any_of(format.column_endings,
                             [name](std::string_view ending) { return name.ends_with(ending); });
}

/// Returns the form by a name without an extension of compression.
std::optional<TextForm> form_of_name(std::string_view name, const ExampleFormat& format) {
  if (is_name_of_conllu(name)) return TextForm::conllu;
  if (is_name_of_records(name)) return TextForm::jsonl;
  return names_columns(name, format) ? std::optional(TextForm::columns) : std::nullopt;
}

/// Returns the form by the first line that is neither blank nor a comment.
std::optional<TextForm> form_of_content(ByteWindow& window, const ExampleFormat& format) {
  constexpr std::size_t kLookedAt = std::size_t{64} << 10;
  for (std::size_t begin = 0; begin < kLookedAt;) {
    const std::size_t end = window.find('\n', begin, kLookedAt);
    const std::string_view line = window.view().substr(begin, end - begin);
    const auto tabs = std::ranges::count(line, '\t');
    ByteWindow bytes(line);
    // A `{` before anything but a key or a `}` may be a token.
    if (tabs == 0 && begins_with_json(bytes, {"{\"", "{}"})) return TextForm::jsonl;
    if (ConlluColumns().take(line)) return TextForm::conllu;
    if (format.begins_columns != nullptr && format.begins_columns(line)) return TextForm::columns;
    const bool is_comment = line.starts_with('#') && tabs == 0;
    if (!is_blank_line(line) && !is_comment) {
      return is_conllu_word(line) ? std::optional(TextForm::conllu) : std::nullopt;
    }
    if (end >= window.view().size()) break;
    begin = end + 1;
  }
  return std::nullopt;
}

/// Throws InputError if a file of labels is a Git LFS pointer or the like: its lines may look like
/// labeled tokens.
void refuse_foreign(ByteWindow& window) {
  window.fill(kForeignHeadBytes);
  const std::string foreign = foreign_content(window.view());
  if (!foreign.empty()) throw InputError("it" + foreign + "; expected labeled examples");
}

/// Converts CSV and arrays of records to lines.
std::unique_ptr<ByteSource> as_lines(std::unique_ptr<ByteSource> bytes, const ExampleInput& input,
                                     const ExampleFormat& format) {
  const std::string_view name = without_compression(input.file);
  const std::optional<TextForm> form = input.form ? input.form : form_of_name(name, format);
  if (form == TextForm::columns && name.ends_with(".csv") && names_columns(name, format)) {
    return lines_of_csv(std::move(bytes));
  }
  const bool may_be_array = input.form ? input.form == TextForm::jsonl : form != TextForm::conllu;
  return may_be_array ? lines_of_array(std::move(bytes)) : std::move(bytes);
}

}  // namespace

FirstLine peek_first_line(ByteWindow& window, std::size_t limit) {
  FirstLine line;
  for (;; ++line.number) {
    const std::size_t begin = line.size;
    const std::size_t end = window.find('\n', begin, limit);
    const bool ends = end < window.view().size() && window.view()[end] == '\n';
    line.text.assign(window.view().substr(begin, end - begin));
    line.size = ends ? end + 1 : end;
    if (!ends || !is_blank_line(line.text.text())) return line;
  }
}

std::optional<TextForm> form_of(std::string_view file, ByteWindow& window,
                                const ExampleFormat& format) {
  const std::optional<TextForm> found = form_of_content(window, format);
  return found ? found : form_of_name(without_compression(file), format);
}

TextForm form_of_file(const std::string& file, const ExampleFormat& format) {
  std::unique_ptr<ByteSource> bytes = std::make_unique<MemoryBytes>("");
  if (!can_be_read_only_once(file)) bytes = open_file(file);
  ByteWindow window(lines_of_array(std::move(bytes)));
  return name_errors(file, [&] {
    pass_over_byte_order_mark(window, file);
    return form_of(file, window, format).value_or(TextForm::text);
  });
}

TextForm form_of_records(const std::string& file, const std::string& text_field) {
  if (can_be_read_only_once(file)) return TextForm::jsonl;
  ByteWindow window(lines_of_array(open_file(file)));
  pass_over_byte_order_mark(window, file);
  const FirstLine line = peek_first_line(window, kMaxRecordBytes);
  const std::array<std::string, 3> names = {text_field, "tokens", "data"};
  try {
    const std::vector<JsonField> fields = parse_json_fields(line.text.text(), names);
    if (!fields[0].is_absent()) return TextForm::jsonl;
    if (fields[1].kind == JsonField::Kind::list) return TextForm::token_records;
    return fields[2].kind == JsonField::Kind::other ? TextForm::data_records : TextForm::jsonl;
  } catch (const InputError&) {
    return TextForm::jsonl;  // the reader of the file reports or skips it
  }
}

OpenedFile::OpenedFile(const ExampleInput& example_input, LabelSet& label_set, bool segments,
                       const ExampleFormat& format, std::unique_ptr<ByteSource> bytes)
    : input(example_input),
      labels(label_set),
      state{input.stop},
      context(format_options(input, segments)),
      window(as_lines(
          std::make_unique<CheckedBytes>(bytes ? std::move(bytes) : open_bytes(*this), *this),
          input, format)) {
  context.begin_file(input.file);
  name_errors(input.file, [&] {
    pass_over_byte_order_mark(window, input.file);
    if (input.labeled) refuse_foreign(window);
    if (!input.form) input.form = form_of(input.file, window, format).value_or(TextForm::columns);
  });
}

void OpenedFile::leave_out(const std::string& where, const InputError& error, const char* advice) {
  if (context.options.skip_bad_records) {
    ++malformed;
    return;
  }
  if (input.labeled) throw InputError(where + error.message() + advice);
  throw InputError(where + error.message(), Remedy{"skip_bad_records"});
}

std::vector<std::int32_t> ExampleReader::numbers_of(const std::vector<std::string>& labels) {
  std::vector<std::int32_t> numbers;
  if (!labeled()) return numbers;
  for (const std::string& label : labels) numbers.push_back(file_.labels.add(label));
  return numbers;
}

std::shared_ptr<const TaskGold> ExampleReader::label_gold(const std::vector<std::string>& labels) {
  return labeled() ? std::make_shared<LabelGold>(numbers_of(labels)) : nullptr;
}

std::string id_of(const JsonNode& node) {
  return node.is_number() ? std::to_string(node.whole()) : node.text();
}

std::string source_text(const JsonDocument& record, const char* key, const RepairedText& line) {
  const std::string& text = record[key].text();
  if (line.first_repair() == RepairedText::npos) return text;
  return before_repair(text, JsonDocument(line.marked(), "", "a record")[key].text());
}

void refuse(const std::string& found, const std::string& expected) {
  throw InputError("found " + found + "; expected " + expected);
}

std::string in_line(std::uint64_t line) { return "line " + std::to_string(line) + ": "; }

bool RecordReader::next(ExampleGroup& group) {
  while (lines_.next()) {
    try {
      if (lines_.too_long() || lines_.line().size() > max_bytes_) {
        throw InputError("found more than " + std::to_string(max_bytes_) +
                         " bytes; expected smaller records");
      }
      line_.assign(lines_.line());
      if (line_.text().find_first_not_of(blanks_) == std::string_view::npos) continue;
      group = {};
      if (read(group)) return true;
      ++file_.without_gold;
    } catch (const InputError& error) {
      file_.leave_out(in_line(lines_.number()), error);
    }
  }
  return false;
}

std::shared_ptr<const Document> RecordReader::begin_document(const JsonField& id) {
  if (id.is_absent()) return file_.context.begin_document(std::to_string(lines_.number()));
  if (!id.is_text()) refuse_field(id, "id", "a string or a number");
  return file_.context.begin_document(id.text);
}

bool ColumnLines::next() {
  if (!lines_.next()) return false;
  bytes_ += lines_.line().size();
  line_.assign(lines_.line());
  columns_.clear();
  const std::string_view text = line_.text();
  if (is_blank_line(text)) return true;
  const bool tabs = separator_ == ColumnSeparator::tabs && text.find('\t') != text.npos;
  const std::string_view separators = tabs                                  ? "\t"
                                      : separator_ == ColumnSeparator::tabs ? " "
                                                                            : " \t\r";
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
    if (tabs || begin < end) columns_.push_back({begin, end});
    begin = end + 1;
  }
  return true;
}

void ColumnLines::add_token(std::size_t column, Sentence& sentence) const {
  if (sentence.size() == 0) sentence.line = number();
  sentence.begin_line(number());
  elmo::add_token(line_, columns_[column], lines_.offset(), sentence);
}

ExampleFile::ExampleFile(const ExampleInput& input, bool segments, const ExampleFormat& format,
                         LabelSet& labels, std::unique_ptr<ByteSource> bytes)
    : format_(format),
      file_(input, labels, segments, format, std::move(bytes)),
      reader_(name_errors(input.file, [&] { return format.make_reader(file_); })) {}

bool ExampleFile::next(ExampleGroup& group) {
  group = {};
  return name_errors(name(), [&] {
    if (!reader_->next(group)) {
      if (file_.input.labeled) check_end();
      return false;
    }
    has_groups_ = true;
    has_labels_ = has_labels_ || std::ranges::any_of(group.records, [](const TaskRecord& record) {
                    return record.gold != nullptr && record.gold->can_be_scored();
                  });
    return true;
  });
}

ExampleCounters ExampleFile::counters() const {
  return {file_.malformed, file_.without_gold, file_.invalid_sequences};
}

std::string ExampleFile::note() const {
  std::string note = reader_->note();
  if (file_.context.encoding().empty()) return note;
  if (!note.empty()) note += "; ";
  return note + "it may be " + file_.context.encoding();
}

void ExampleFile::check_end() const {
  if (has_labels_ || format_.no_example == nullptr) return;
  if (file_.without_gold > 0) {
    throw InputError("found only records without a gold label; expected some that have one");
  }
  throw InputError(has_groups_ ? format_.no_label : format_.no_example);
}

void check_token(std::string_view token) {
  if (token.find('\0') != token.npos) throw InputError("found a NUL in a token; expected text");
}

void check_label(std::string_view label) {
  if (label.empty()) throw InputError("found an empty label; expected one that has a name");
  if (label.size() > kMaxLabelBytes) {
    throw InputError("found a label of " + std::to_string(label.size()) +
                     " bytes; expected no more than " + std::to_string(kMaxLabelBytes));
  }
}

void check_token_count(const std::string& found, std::size_t tokens) {
  if (tokens <= kDefaultMaxSentenceTokens) return;
  throw InputError(found + " of " + std::to_string(tokens) + " tokens; expected no more than " +
                   std::to_string(kDefaultMaxSentenceTokens));
}

void add_listed_tokens(const std::vector<std::string>& tokens, Sentence& sentence) {
  std::uint64_t begin = 0;
  RepairedText repaired;
  for (const std::string& token : tokens) {
    if (token.empty()) throw InputError("found an empty token; expected words");
    check_token(token);
    repaired.assign(token);
    add_token(sentence, repaired.text(), {begin, begin + token.size()});
    begin += token.size() + 1;
  }
}

ExampleGroup sentence_group(Sentence sentence, std::shared_ptr<const TaskGold> gold) {
  ExampleGroup group;
  if (sentence.size() > 0) group.records.push_back({.texts = {0}, .gold = std::move(gold)});
  group.texts.push_back(std::move(sentence));
  return group;
}

bool begins_with_json(ByteWindow& window, std::initializer_list<std::string_view> beginnings) {
  constexpr std::size_t kLookedAt = std::size_t{64} << 10;
  std::string begin;
  const auto goes_on = [&begin](std::string_view text) { return text.starts_with(begin); };
  for (std::size_t at = 0; at < kLookedAt && window.fill(at + 1); ++at) {
    const char byte = window.view()[at];
    if (kJsonBlanks.find(byte) != std::string_view::npos) continue;
    begin += byte;
    if (std::ranges::find(beginnings, begin) != beginnings.end()) return true;
    if (std::ranges::none_of(beginnings, goes_on)) return false;
  }
  return false;
}

}  // namespace elmo
