// Semantic role labeling: sentences with the frames of their predicates.
//
// - jsonl: one record per line, {"tokens": […], "frames": [{"predicate": token, "tags": [BIO]}]},
//   detected by its first byte. Other members may hold anything. Each record is a document, named
//   by its field "id" or else its line. Spans refer to its tokens joined by spaces.
// - columns: CoNLL-2012 or CoNLL-2005. In CoNLL-2012, the word is column 4, a token with a frameset
//   in column 8 is a predicate, and its arguments are in brackets, one column per predicate from
//   column 12 on; the last column is coreference. If the first row is not CoNLL-2012, the format is
//   CoNLL-2005: the word first, then any columns, the predicate or "-", and arguments as above.
//   Without a column of predicates, the predicates are at (V*). Each file is a document, and spans
//   refer to it.
//
// If labels are ignored, tags and argument columns may be missing. A record without "frames" is a
// sentence whose predicates the model must find.
//
// Predictions:
// - jsonl: {"tokens": […], "frames": [{"predicate", "tags"}]} for each sentence, with a frame for
//   each predicate that was given or found, in that order.
// - columns: the prediction format of the CoNLL-2005 shared task, which srl-eval.pl reads. One
//   token per line: the token if it is a predicate, else "-"; then a column of bracketed arguments
//   for each predicate, from first to last. A blank line follows each sentence. InputError for two
//   frames of one predicate, which columns cannot represent.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/tasks/common/spans.h"
#include "core/tasks/role_scores.h"
#include "io/json/json.h"
#include "io/json/json_document.h"
#include "io/labeled/examples.h"
#include "io/tasks/kinds.h"

namespace elmo {
namespace {

/// Reads {"tokens": […], "frames": [{"predicate", "tags"}]}.
class FrameRecords final : public RecordReader {
 public:
  explicit FrameRecords(OpenedFile& file) : RecordReader(file, kMaxSentenceBytes) {}

 private:
  bool read(ExampleGroup& group) override {
    const JsonDocument record(line().text(), "", "an object with tokens and frames");
    const std::vector<std::string> tokens = record["tokens"].texts();
    check_token_count("found a sentence", tokens.size());
    const JsonNode id = record["id"];
    Sentence sentence;
    sentence.document =
        file_.context.begin_document(id.is_there() ? id_of(id) : std::to_string(lines().number()));
    sentence.line = lines().number();
    add_listed_tokens(tokens, sentence);
    const JsonNode frames = record["frames"];
    if (!labeled() && !frames.is_there()) {
      group = sentence_group(std::move(sentence), nullptr);
      return true;
    }
    std::vector<std::int32_t> predicates;
    std::vector<std::string> labels;
    for (const JsonNode& frame : frames.elements("an array of frames")) {
      const JsonNode predicate = frame["predicate"];
      if (tokens.empty()) predicate.refuse("no frame, as the sentence has no token");
      predicates.push_back(static_cast<std::int32_t>(
          predicate.whole(0, static_cast<std::int64_t>(tokens.size()) - 1)));
      if (labeled()) read_tags(frame["tags"], tokens.size(), labels);
    }
    group = sentence_group(std::move(sentence),
                           std::make_shared<FrameGold>(std::move(predicates), numbers_of(labels)));
    return true;
  }

  static void read_tags(const JsonNode& node, std::size_t tokens,
                        std::vector<std::string>& labels) {
    const std::vector<JsonNode> tags = node.elements("an array of BIO tags");
    if (tags.size() != tokens) {
      node.refuse(std::to_string(tokens) + " tags, one for each token; found " +
                  std::to_string(tags.size()));
    }
    std::string former;
    for (const JsonNode& node_of_tag : tags) {
      const std::string& tag = node_of_tag.text();
      check_label(tag);
      const bool begins = tag.starts_with("B-") && tag.size() > 2;
      const bool continues = tag.starts_with("I-") && tag.size() > 2;
      if (tag != "O" && !begins && !continues) node_of_tag.refuse("O, B-ROLE or I-ROLE");
      if (!may_follow(SpanScheme::iob2, former, tag)) {
        node_of_tag.refuse(
            "B-" + excerpt(tag.substr(2)) + " to begin a span " +
            (former.empty() ? "at the beginning of a sentence" : "after " + excerpt(former)));
      }
      labels.push_back(tag);
      former = tag;
    }
  }
};

// Columns of CoNLL-2012, 0-based.
constexpr std::size_t kPartColumn = 1;
constexpr std::size_t kNumberColumn = 2;
constexpr std::size_t kWordColumn = 3;
constexpr std::size_t kFramesetColumn = 7;
constexpr std::size_t kFirstArguments = 11;
constexpr std::size_t kFewestColumns = kFirstArguments + 1;  // the last column is coreference

// The ends of errors in each format.
constexpr const char* kConll2012 = " (CoNLL-2012); fix the file";
constexpr const char* kConll2005 = " (CoNLL-2005); fix the file";

/// A token's line.
struct FrameRow {
  std::uint64_t line = 0;
  bool is_predicate = false;
  std::vector<std::string> arguments{};  ///< one cell per column

  std::uint64_t number() const { return line; }
};

/// Converts the spans of one column, (ROLE*, *, *), to BIO labels.
class BracketedSpans {
 public:
  std::string label_of(const std::string& cell) {
    const std::string found = excerpt("'" + cell + "'");
    std::string_view rest = cell;
    const bool begins = rest.starts_with('(');
    if (begins) {
      const std::size_t end = rest.find('*');
      const std::string_view role = rest.substr(1, std::min(end, rest.size()) - 1);
      if (end == std::string_view::npos || role.empty() || role.find('(') != role.npos) {
        refuse(found, "*, (ROLE*, *) or (ROLE*)");
      }
      if (!role_.empty())
        refuse(excerpt("'" + cell + "' inside of " + role_), "spans that do not overlap");
      role_ = role;
      rest.remove_prefix(end);
    }
    if (rest != "*" && rest != "*)") refuse(found, "*, (ROLE*, *) or (ROLE*)");
    if (role_.empty()) {
      if (rest == "*)") refuse(found, "a span that has begun before its end");
      return "O";
    }
    std::string label = (begins ? "B-" : "I-") + role_;
    if (rest == "*)") role_.clear();
    return label;
  }

  void end() const {
    if (role_.empty()) return;
    refuse(excerpt(role_ + " still open at the end of its sentence"), "*) to end it");
  }

 private:
  std::string role_;  // of the open span
};

/// Reads columns. In CoNLL-2012, lines that begin with # are not tokens. In CoNLL-2005, # is an
/// ordinary token (the Penn Treebank's pound sign).
class FrameColumns final : public ExampleReader {
 public:
  explicit FrameColumns(OpenedFile& file)
      : ExampleReader(file),
        document_(file.context.begin_document(file.input.file)),
        lines_(file, ColumnSeparator::blanks) {}

  bool next(ExampleGroup& group) override {
    while (lines_.next()) {
      if (lines_.exceeds(kMaxSentenceBytes)) {
        throw InputError(in_line(lines_.number()) + "found more than " +
                         std::to_string(kMaxSentenceBytes) +
                         " bytes; expected a blank line after each sentence");
      }
      const std::string_view text = lines_.text();
      const bool ends_sentence =
          lines_.count() == 0 || text.starts_with(kDocumentBegin) || text.starts_with(kDocumentEnd);
      if (!ends_sentence) {
        if (text.starts_with('#') && format_ != kConll2005) continue;
        if (format_ == nullptr) format_ = format_of_line();
        name_line(lines_, format_, [&] { add_row(); });
        continue;
      }
      lines_.begin_unit();
      if (!rows_.empty()) break;
    }
    if (rows_.empty()) return false;
    group = take();
    return true;
  }

 private:
  const char* format_of_line() const {
    const bool is_2012 = lines_.count() >= kFewestColumns && is_digits(lines_[kPartColumn]) &&
                         is_digits(lines_[kNumberColumn]);
    return is_2012 ? kConll2012 : kConll2005;
  }

  void add_row() {
    const bool is_2005 = format_ == kConll2005;
    if (!is_2005 && lines_.count() < kFewestColumns) {
      refuse(human_count(lines_.count(), "column"),
             std::to_string(kFewestColumns) + " columns or more");
    }
    if (!rows_.empty() && lines_.count() != column_count_) {
      refuse(human_count(lines_.count(), "column"),
             std::to_string(column_count_) + ", as in line " + std::to_string(rows_.front().line));
    }
    column_count_ = lines_.count();
    FrameRow row{.line = lines_.number()};
    const std::size_t word = is_2005 ? 0 : kWordColumn;
    check_token(lines_[word]);
    lines_.add_token(word, sentence_);
    if (is_2005) {
      for (std::size_t column = 1; column < lines_.count(); ++column) {
        row.arguments.emplace_back(lines_[column]);
      }
    } else {
      row.is_predicate = lines_[kFramesetColumn] != "-";
    }
    if (labeled() && !is_2005) {
      for (std::size_t column = kFirstArguments; column + 1 < lines_.count(); ++column) {
        row.arguments.emplace_back(lines_[column]);
      }
    }
    rows_.push_back(std::move(row));
  }

  /// Makes a group of the rows, which it removes.
  ExampleGroup take() {
    check_token_count(in_line(rows_.front().line) + "found a sentence", rows_.size());
    std::vector<std::int32_t> predicates;
    std::vector<std::string> labels;
    const bool with_arguments = name_line(rows_.front(), format_, [&] {
      predicates = read_predicates();
      return labeled() && has_arguments(predicates.size());
    });
    if (with_arguments) labels = read_arguments();
    rows_.clear();
    sentence_.document = document_;
    return sentence_group(std::exchange(sentence_, {}),
                          std::make_shared<FrameGold>(std::move(predicates), numbers_of(labels)));
  }

  std::vector<std::int32_t> read_predicates() {
    if (format_ == kConll2005 && !has_predicate_column()) return find_verbs();
    std::vector<std::int32_t> predicates;
    for (std::size_t token = 0; token < rows_.size(); ++token) {
      if (rows_[token].is_predicate) predicates.push_back(static_cast<std::int32_t>(token));
    }
    return predicates;
  }

  /// True if arguments of CoNLL-2005 follow a column of predicates. Reads that column, and keeps
  /// only the arguments in the rows.
  bool has_predicate_column() {
    const std::vector<std::string>& cells = rows_.front().arguments;
    const auto holds_span = [](const std::string& cell) {
      return cell.find('*') != std::string::npos;
    };
    const auto arguments = std::find_if_not(cells.rbegin(), cells.rend(), holds_span).base();
    const auto before = arguments - cells.begin();
    if (before > 0 && arguments == cells.end() &&
        std::ranges::none_of(rows_, [](const FrameRow& row) {
          return row.arguments.back() == "-" || row.arguments.back().find('*') != std::string::npos;
        })) {
      refuse(human_count(cells.size() + 1, "column"),
             "JSON Lines, 12 columns or more of CoNLL-2012, or a word, its predicate or -, and "
             "arguments");
    }
    for (FrameRow& row : rows_) {
      if (before > 0) row.is_predicate = row.arguments[static_cast<std::size_t>(before) - 1] != "-";
      row.arguments.erase(row.arguments.begin(), row.arguments.begin() + before);
    }
    return before > 0;
  }

  /// Returns the tokens at (V*), one per column.
  std::vector<std::int32_t> find_verbs() const {
    std::vector<std::int32_t> verbs;
    for (std::size_t column = 0; column < rows_.front().arguments.size(); ++column) {
      const auto verb = std::ranges::find_if(rows_, [column](const FrameRow& row) {
        return row.arguments[column].starts_with("(V*");
      });
      if (verb == rows_.end()) {
        refuse("a column of arguments without (V*)",
               "a column of predicates before it, or (V*) at its own");
      }
      verbs.push_back(static_cast<std::int32_t>(verb - rows_.begin()));
    }
    // Predictions in the format of srl-eval.pl have no column of words. They are rejected.
    std::size_t dashes = 0;
    for (std::size_t token = 0; token < rows_.size(); ++token) {
      if (std::ranges::count(verbs, static_cast<std::int32_t>(token)) > 0) continue;
      if (sentence_.token(token) != "-") return verbs;
      ++dashes;
    }
    if (dashes == 0 || verbs.empty()) return verbs;
    refuse("predicates and arguments without words",
           "a column of words before them, as in: paste WORDS PREDICTED");
  }

  /// True if there are arguments, a column for each of the predicates. A sentence without
  /// predicates may have one column of only *.
  bool has_arguments(std::size_t predicates) const {
    const std::size_t columns = rows_.front().arguments.size();
    const bool is_empty =
        predicates == 0 && columns == 1 && std::ranges::all_of(rows_, [](const FrameRow& row) {
          return row.arguments.front() == "*";
        });
    if (columns != predicates && !is_empty) {
      refuse(human_count(columns, "column") + " of arguments in a sentence with " +
                 human_count(predicates, format_ == kConll2005 ? "predicate" : "frameset"),
             "a column for each of them");
    }
    return !is_empty;
  }

  /// Returns the labels of all tokens of each predicate.
  std::vector<std::string> read_arguments() const {
    std::vector<std::string> labels;
    for (std::size_t column = 0; column < rows_.front().arguments.size(); ++column) {
      BracketedSpans spans;
      for (const FrameRow& row : rows_) {
        name_line(row, format_, [&] {
          labels.push_back(spans.label_of(row.arguments[column]));
          check_label(labels.back());
        });
      }
      name_line(rows_.back(), format_, [&] { spans.end(); });
    }
    return labels;
  }

  const char* format_ = nullptr;  // null until detected
  std::shared_ptr<const Document> document_;
  ColumnLines lines_;
  // The current sentence.
  std::size_t column_count_ = 0;
  Sentence sentence_;
  std::vector<FrameRow> rows_;
};

struct PredictedFrame {
  std::int32_t predicate = 0;
  std::vector<std::string> tags;
};

std::string frames_record(const Sentence& sentence, const std::vector<PredictedFrame>& frames) {
  std::vector<std::string> tokens;
  for (std::size_t token = 0; token < sentence.size(); ++token) {
    tokens.emplace_back(sentence.token(token));
  }
  const auto quoted = [](const std::string& text) { return json_text(text); };
  return R"({"tokens": )" + json_list_text(tokens, quoted) + R"(, "frames": )" +
         json_list_text(frames,
                        [&](const PredictedFrame& frame) {
                          return R"({"predicate": )" + std::to_string(frame.predicate) +
                                 R"(, "tags": )" + json_list_text(frame.tags, quoted) + "}";
                        }) +
         "}\n";
}

/// The cell (ROLE*, *, *) of each token.
std::vector<std::string> bracketed(const std::vector<std::string>& tags) {
  std::vector<std::string> cells(tags.size(), "*");
  for (const LabelSpan& span : spans_of(tags)) {
    cells[span.begin].insert(0, "(" + span.type);
    cells[span.end - 1] += ")";
  }
  return cells;
}

std::string frames_columns(const Sentence& sentence, std::vector<PredictedFrame> frames) {
  std::ranges::sort(frames, {}, &PredictedFrame::predicate);
  const auto twice = std::ranges::adjacent_find(frames, {}, &PredictedFrame::predicate);
  if (twice != frames.end()) {
    const auto token = static_cast<std::size_t>(twice->predicate);
    throw InputError("line " + std::to_string(sentence.line_of(token)) +
                     ": found two frames of token " + std::to_string(token) +
                     "; expected one of each predicate, which columns can hold");
  }
  std::vector<std::string> lines(sentence.size(), "-");
  for (const PredictedFrame& frame : frames) {
    const auto token = static_cast<std::size_t>(frame.predicate);
    lines[token] = sentence.token(token) == "-" ? "_" : sentence.token(token);
    // White space separates columns, and "-" is not a predicate.
    std::ranges::replace_if(
        lines[token], [](char byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }, '_');
  }
  for (const PredictedFrame& frame : frames) {
    const std::vector<std::string> cells = bracketed(frame.tags);
    for (std::size_t token = 0; token < lines.size(); ++token) lines[token] += '\t' + cells[token];
  }
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text + '\n';
}

class FrameWriter final : public PredictionWriter {
 public:
  FrameWriter(PredictionFormat format, const std::vector<std::string>& labels)
      : columns_(format == PredictionFormat::columns), labels_(labels) {}

  std::string text_of(const ExampleGroup& group, TaskPredictions predictions) override {
    const Sentence& sentence = group.texts.front();
    std::vector<PredictedFrame> frames;
    if (!predictions.empty()) frames = frames_of(predictions.front()->as<FramePrediction>());
    return columns_ ? frames_columns(sentence, std::move(frames)) : frames_record(sentence, frames);
  }

 private:
  std::vector<PredictedFrame> frames_of(const FramePrediction& prediction) const {
    std::vector<PredictedFrame> frames;
    auto label = prediction.labels.begin();
    for (const std::int32_t predicate : prediction.predicates) {
      PredictedFrame& frame = frames.emplace_back();
      frame.predicate = predicate;
      const auto tokens = prediction.labels.size() / prediction.predicates.size();
      for (std::size_t token = 0; token < tokens; ++token) {
        frame.tags.push_back(labels_[*label++]);
      }
    }
    return frames;
  }

  bool columns_;
  LabelSet labels_;
};

constexpr const char* kNoFrame =
    "found no frame; expected sentences with the frames of their predicates";

std::unique_ptr<ExampleReader> frame_reader(OpenedFile& file) {
  if (file.input.form == TextForm::jsonl) return std::make_unique<FrameRecords>(file);
  return std::make_unique<FrameColumns>(file);
}

std::unique_ptr<PredictionWriter> frame_writer(const WriterOptions& options) {
  check_format("frames are written as jsonl or columns",
               {PredictionFormat::jsonl, PredictionFormat::columns}, options.format);
  return std::make_unique<FrameWriter>(options.format, options.labels);
}

}  // namespace

LabeledKind labeled_frames() {
  return {.task = srl_kind(),
          .format = {kNoFrame, kNoFrame, frame_reader, kConllNames,
                     [](std::string_view line) { return line.starts_with(kDocumentBegin); }},
          .forms = {{.form = TextForm::text, .lines = true, .tokenizer = true},
                    {.form = TextForm::tokens},
                    {.form = TextForm::jsonl, .as_labeled = true, .records = true},
                    {.form = TextForm::conllu},
                    {.form = TextForm::columns, .as_labeled = true}},
          .examples_of = examples_of_sentences,
          .writer = frame_writer};
}

}  // namespace elmo
