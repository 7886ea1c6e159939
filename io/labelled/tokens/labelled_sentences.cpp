#include "io/labelled/tokens/labelled_sentences.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "io/labelled/tokens/column_reader.h"
#include "io/labelled/tokens/record_reader.h"
#include "io/text/bytes/byte_order_mark.h"
#include "io/text/bytes/decompress.h"
#include "io/text/bytes/file_bytes.h"
#include "io/text/formats/conllu_reader.h"
#include "io/text/source/read_ahead.h"

namespace elmo {
namespace {

constexpr std::array<const char*, 10> kConlluColumns = {"id",    "form", "lemma",  "upos", "xpos",
                                                        "feats", "head", "deprel", "deps", "misc"};
constexpr std::size_t kFirstLabelColumn = 2;

std::size_t number_of_column(const std::string& name) {
  const auto* const found =
      std::find(kConlluColumns.begin() + kFirstLabelColumn, kConlluColumns.end(), name);
  if (found != kConlluColumns.end()) {
    return static_cast<std::size_t>(found - kConlluColumns.begin());
  }
  std::string names;
  for (const std::string& column : conllu_label_columns()) names += " " + column;
  throw RequestError("no column '" + name + "' of labels in CoNLL-U; there are:" + names);
}

/// CoNLL-U, labeled by one of its columns.
class ConlluLabels : public LabelledReader {
 public:
  ConlluLabels(ByteWindow& window, const std::string& name, ReadingContext& context,
               std::size_t column)
      : name_(name), reader_(window, name, context, column) {}

  bool next(LabelledSentence& labelled) override {
    if (!reader_.next(labelled.sentence)) return false;
    std::swap(labelled.labels, reader_.kept_values());
    const auto too_long = std::ranges::find_if(
        labelled.labels, [](const std::string& label) { return label.size() > kMaxLabelBytes; });
    if (too_long == labelled.labels.end()) return true;
    const auto token = static_cast<std::size_t>(too_long - labelled.labels.begin());
    throw InputError(name_ + ": line " + std::to_string(labelled.sentence.line_of(token)) +
                     ": found a label of " + std::to_string(too_long->size()) +
                     " bytes; expected no more than " + std::to_string(kMaxLabelBytes));
  }

 private:
  std::string name_;
  ConlluReader reader_;
};

/// The format by a file's name, with or without the ending of a compressed one.
std::optional<LabelledFormat> format_of_name(std::string_view name) {
  if (compression_of_name(name)) name = name.substr(0, name.rfind('.'));
  if (name.ends_with(".conllu")) return LabelledFormat::conllu;
  if (name.ends_with(".jsonl")) return LabelledFormat::jsonl;
  return std::nullopt;
}

/// The format by a line; none for a blank one and what may be a comment.
std::optional<LabelledFormat> format_of_line(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return std::nullopt;
  const auto tabs = std::ranges::count(line, '\t');
  if (line[begin] == '#' && tabs == 0) return std::nullopt;
  if (line[begin] == '{' && tabs == 0) return LabelledFormat::jsonl;
  const bool numbered = line[begin] >= '0' && line[begin] <= '9';
  return numbered && tabs == 9 ? LabelledFormat::conllu : LabelledFormat::columns;
}

/// The format by the first line near the beginning that determines one.
LabelledFormat format_of_content(ByteWindow& window) {
  constexpr std::size_t kLookedAt = std::size_t{64} << 10;
  for (std::size_t begin = 0; begin < kLookedAt;) {
    const std::size_t end = window.find('\n', begin, kLookedAt);
    const auto format = format_of_line(window.view().substr(begin, end - begin));
    if (format) return *format;
    if (end >= window.view().size()) break;
    begin = end + 1;
  }
  return LabelledFormat::columns;
}

/// What the readers' context needs to know: the tokens are given.
FormatOptions unsegmented(bool strict) {
  FormatOptions options;
  options.strict = strict;
  options.format = InputFormat::tokens;
  return options;
}

/// A file, from its first byte on.
class LabelledFile : public LabelledSource {
 public:
  LabelledFile(const LabelledInput& input, std::unique_ptr<ByteSource> bytes)
      : column_(number_of_column(input.column)),
        name_(input.file),
        format_(input.format ? input.format : format_of_name(input.file)),
        waiting_{input.stop},
        labelled_(input.labelled),
        context_(unsegmented(input.strict)),
        window_(bytes ? std::move(bytes) : open(input)) {
    pass_over_byte_order_mark(window_, name_);
    if (!format_) format_ = format_of_content(window_);
    reader_ = make_reader();
  }

  bool next(Sentence& sentence) override {
    const bool read = next(kept_);
    std::swap(sentence, kept_.sentence);
    return read;
  }

  bool next(LabelledSentence& labelled) override {
    labelled.sentence.clear();
    labelled.labels.clear();
    return ahead_.next(labelled, [this](LabelledSentence& to) { return read(to); });
  }

  bool next_would_wait() override {
    return ahead_.would_wait(waiting_, [this](LabelledSentence& to) { return read(to); });
  }

  void stop_waiting() override { waiting_.stopped = true; }

  const std::string& name() const override { return name_; }

 private:
  std::unique_ptr<ByteSource> open(const LabelledInput& input) {
    std::unique_ptr<ByteSource> bytes = open_file(name_, bytes_read_, waiting_);
    return input.through ? input.through(std::move(bytes)) : std::move(bytes);
  }

  /// Goes on with the sentence that WouldWait broke off.
  bool read(LabelledSentence& labelled) {
    const bool found = reader_->next(labelled);
    if (labelled.sentence.size() > 0) has_tokens_ = true;
    if (!found && !has_tokens_ && labelled_) {
      throw InputError(name_ + ": found no token; expected sentences with a label for each token");
    }
    if (!labelled_) labelled.labels.clear();
    return found;
  }

  std::unique_ptr<LabelledReader> make_reader() {
    switch (*format_) {
      case LabelledFormat::columns:
        return std::make_unique<ColumnReader>(window_, name_, context_, labelled_);
      case LabelledFormat::conllu:
        return std::make_unique<ConlluLabels>(window_, name_, context_, column_);
      case LabelledFormat::jsonl:
        return std::make_unique<RecordReader>(window_, name_, context_, labelled_);
    }
    return nullptr;
  }

  std::size_t column_;
  std::string name_;
  std::optional<LabelledFormat> format_;
  Waiting waiting_;
  std::atomic<std::uint64_t> bytes_read_ = 0;
  bool labelled_;
  ReadingContext context_;
  ByteWindow window_;
  std::unique_ptr<LabelledReader> reader_;
  ReadAhead<LabelledSentence> ahead_;
  bool has_tokens_ = false;
  LabelledSentence kept_;  // what next(Sentence&) reads
};

}  // namespace

std::vector<std::string> conllu_label_columns() {
  return {kConlluColumns.begin() + kFirstLabelColumn, kConlluColumns.end()};
}

std::unique_ptr<LabelledSource> open_labelled(const LabelledInput& input,
                                              std::unique_ptr<ByteSource> bytes) {
  return std::make_unique<LabelledFile>(input, std::move(bytes));
}

}  // namespace elmo
