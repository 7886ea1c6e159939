#include "io/labeled/tokens/labeled_sentences.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "io/labeled/tokens/column_reader.h"
#include "io/labeled/tokens/record_reader.h"
#include "io/text/bytes/compression.h"
#include "io/text/formats/conllu_reader.h"

namespace elmo {
namespace {

/// Reads CoNLL-U, labeled by one of its columns.
class ConlluLabels : public LabeledReader {
 public:
  ConlluLabels(ByteWindow& window, const std::string& name, ReadingContext& context,
               const std::string& column)
      : name_(name), reader_(window, name, context, column) {}

  bool next(LabeledSentence& labeled) override {
    if (!reader_.next(labeled.sentence)) return false;
    std::swap(labeled.labels, reader_.kept_values());
    const auto too_long = std::ranges::find_if(
        labeled.labels, [](const std::string& label) { return label.size() > kMaxLabelBytes; });
    if (too_long == labeled.labels.end()) return true;
    const auto token = static_cast<std::size_t>(too_long - labeled.labels.begin());
    throw InputError(name_ + ": line " + std::to_string(labeled.sentence.line_of(token)) +
                     ": found a label of " + std::to_string(too_long->size()) +
                     " bytes; expected no more than " + std::to_string(kMaxLabelBytes));
  }

 private:
  std::string name_;
  ConlluReader reader_;
};

/// The format by a file's name, with or without an extension of compression.
std::optional<LabeledFormat> format_of_name(std::string_view name) {
  name = without_compression(name);
  if (is_name_of_conllu(name)) return LabeledFormat::conllu;
  if (name.ends_with(".jsonl")) return LabeledFormat::jsonl;
  return std::nullopt;
}

/// The format by a line; nothing for a blank line or a possible comment.
std::optional<LabeledFormat> format_of_line(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return std::nullopt;
  const auto tabs = std::ranges::count(line, '\t');
  if (ConlluColumns().take(line)) return LabeledFormat::conllu;
  if (line[begin] == '#' && tabs == 0) return std::nullopt;
  if (line[begin] == '{' && tabs == 0) return LabeledFormat::jsonl;
  const bool numbered = line[begin] >= '0' && line[begin] <= '9';
  return numbered && tabs == 9 ? LabeledFormat::conllu : LabeledFormat::columns;
}

/// The format by the first line near the beginning that determines one.
LabeledFormat format_of_content(ByteWindow& window) {
  constexpr std::size_t kLookedAt = std::size_t{64} << 10;
  for (std::size_t begin = 0; begin < kLookedAt;) {
    const std::size_t end = window.find('\n', begin, kLookedAt);
    const auto format = format_of_line(window.view().substr(begin, end - begin));
    if (format) return *format;
    if (end >= window.view().size()) break;
    begin = end + 1;
  }
  return LabeledFormat::columns;
}

}  // namespace

std::vector<std::string> conllu_label_columns() { return ConlluColumns().labels(); }

bool is_name_of_conllu(std::string_view name) {
  return name.ends_with(".conllu") || name.ends_with(".conllup") || name.ends_with(".cupt");
}

std::unique_ptr<LabeledFile> open_labeled(const LabeledInput& input,
                                          std::unique_ptr<ByteSource> bytes) {
  LabeledOpening opening{input.file,
                         FormatOptions(),
                         input.stop,
                         input.labeled,
                         "found no token; expected sentences with a label for each token",
                         input.through};
  opening.format.strict = input.strict;
  opening.format.skip_bad_records = input.skip_bad_records;
  opening.format.format = InputFormat::tokens;
  const auto make_reader = [&](ByteWindow& window,
                               ReadingContext& context) -> std::unique_ptr<LabeledReader> {
    std::optional<LabeledFormat> format = input.format;
    if (!format) format = format_of_name(input.file);
    switch (format ? *format : format_of_content(window)) {
      case LabeledFormat::columns:
        return std::make_unique<ColumnReader>(window, input.file, context, input.labeled);
      case LabeledFormat::conllu:
        return std::make_unique<ConlluLabels>(window, input.file, context, input.column);
      case LabeledFormat::jsonl:
        return std::make_unique<RecordReader>(window, input.file, context, input.labeled);
    }
    return nullptr;
  };
  return std::make_unique<LabeledFile>(opening, std::move(bytes), make_reader);
}

}  // namespace elmo
