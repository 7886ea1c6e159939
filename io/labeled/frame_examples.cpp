#include "io/labeled/frame_examples.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/inference/sentence.h"
#include "core/tasks/common/spans.h"
#include "core/tasks/role_labeler.h"
#include "core/text.h"
#include "io/json/json_document.h"
#include "io/text/segment/characters.h"

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
    std::vector<std::int32_t> predicates;
    std::vector<std::string> labels;
    const JsonNode frames = record["frames"];
    if (!labeled() && !frames.is_there()) {
      predicates.push_back(kFindPredicates);
    } else {
      for (const JsonNode& frame : frames.elements("an array of frames")) {
        const JsonNode predicate = frame["predicate"];
        if (tokens.empty()) predicate.refuse("no frame, as the sentence has no token");
        predicates.push_back(static_cast<std::int32_t>(
            predicate.whole(0, static_cast<std::int64_t>(tokens.size()) - 1)));
        if (labeled()) read_tags(frame["tags"], tokens.size(), labels);
      }
    }
    group = sentence_group(std::move(sentence), std::move(predicates), numbers_of(labels));
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

constexpr std::string_view kBlankBytes = " \t\r";
constexpr const char* kConll2012 = "CoNLL-2012";
constexpr const char* kConll2005 = "CoNLL-2005";

/// A token's line.
struct FrameRow {
  std::uint64_t line = 0;
  const char* format = kConll2012;
  bool is_predicate = false;
  std::vector<std::string> arguments;  ///< one cell per column
};

[[noreturn]] void refuse_row(const FrameRow& row, const std::string& found,
                             const std::string& expected) {
  throw InputError(in_line(row.line) + "found " + excerpt(found) + "; expected " + expected + " (" +
                   row.format + "); fix the file");
}

/// Converts the spans of one column, (ROLE*, *, *), to BIO labels.
class BracketedSpans {
 public:
  std::string label_of(const FrameRow& row, const std::string& cell) {
    std::string_view rest = cell;
    const bool begins = rest.starts_with('(');
    if (begins) {
      const std::size_t end = rest.find('*');
      const std::string_view role = rest.substr(1, std::min(end, rest.size()) - 1);
      if (end == std::string_view::npos || role.empty() || role.find('(') != role.npos) {
        refuse_row(row, "'" + cell + "'", "*, (ROLE*, *) or (ROLE*)");
      }
      if (!role_.empty()) {
        refuse_row(row, "'" + cell + "' inside of " + role_, "spans that do not overlap");
      }
      role_ = role;
      rest.remove_prefix(end);
    }
    if (rest != "*" && rest != "*)") refuse_row(row, "'" + cell + "'", "*, (ROLE*, *) or (ROLE*)");
    if (role_.empty()) {
      if (rest == "*)") refuse_row(row, "'" + cell + "'", "a span that has begun before its end");
      return "O";
    }
    std::string label = (begins ? "B-" : "I-") + role_;
    if (rest == "*)") role_.clear();
    return label;
  }

  void end(const FrameRow& last) const {
    if (role_.empty()) return;
    refuse_row(last, role_ + " still open at the end of its sentence", "*) to end it");
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
        lines_(file.window) {}

  bool next(ExampleGroup& group) override {
    while (lines_.next()) {
      bytes_ += lines_.line().size();
      if (lines_.too_long() || bytes_ > kMaxSentenceBytes) {
        throw InputError(in_line(lines_.number()) + "found more than " +
                         std::to_string(kMaxSentenceBytes) +
                         " bytes; expected a blank line after each sentence");
      }
      line_.assign(lines_.line());
      const std::string_view text = line_.text();
      const bool ends_sentence =
          is_blank_line(text) || text.starts_with(kDocumentBegin) || text.starts_with(kDocumentEnd);
      if (!ends_sentence) {
        if (!text.starts_with('#') || format_ == kConll2005) add_row();
        continue;
      }
      bytes_ = 0;
      if (!rows_.empty()) break;
    }
    if (rows_.empty()) return false;
    group = take();
    return true;
  }

 private:
  void add_row() {
    columns_.clear();
    const std::string_view text = line_.text();
    for (std::size_t begin = text.find_first_not_of(kBlankBytes); begin < text.size();) {
      const std::size_t end = std::min(text.find_first_of(kBlankBytes, begin), text.size());
      columns_.push_back({begin, end});
      begin = text.find_first_not_of(kBlankBytes, end);
    }
    const auto cell = [&](std::size_t column) {
      return text.substr(columns_[column].begin, columns_[column].end - columns_[column].begin);
    };
    if (format_ == nullptr) {
      const bool is_2012 = columns_.size() >= kFewestColumns && is_digits(cell(kPartColumn)) &&
                           is_digits(cell(kNumberColumn));
      format_ = is_2012 ? kConll2012 : kConll2005;
    }
    const bool is_2005 = format_ == kConll2005;
    FrameRow row;
    row.line = lines_.number();
    row.format = format_;
    if (!is_2005 && columns_.size() < kFewestColumns) {
      refuse_row(row, human_count(columns_.size(), "column"),
                 std::to_string(kFewestColumns) + " columns or more");
    }
    if (!rows_.empty() && columns_.size() != column_count_) {
      refuse_row(
          row, human_count(columns_.size(), "column"),
          std::to_string(column_count_) + ", as in line " + std::to_string(rows_.front().line));
    }
    column_count_ = columns_.size();
    const std::size_t word = is_2005 ? 0 : kWordColumn;
    if (cell(word).find('\0') != std::string_view::npos) {
      refuse_row(row, "a NUL in a token", "text");
    }
    if (rows_.empty()) sentence_.line = row.line;
    sentence_.begin_line(row.line);
    add_token(line_, columns_[word], lines_.offset(), sentence_);
    if (is_2005) {
      for (std::size_t column = 1; column < columns_.size(); ++column) {
        row.arguments.emplace_back(cell(column));
      }
    } else {
      row.is_predicate = cell(kFramesetColumn) != "-";
    }
    if (labeled() && !is_2005) {
      for (std::size_t column = kFirstArguments; column + 1 < columns_.size(); ++column) {
        row.arguments.emplace_back(cell(column));
      }
    }
    rows_.push_back(std::move(row));
  }

  /// Makes a group of the rows, which it removes.
  ExampleGroup take() {
    check_token_count(in_line(rows_.front().line) + "found a sentence", rows_.size());
    const bool by_verbs = format_ == kConll2005 && !has_predicate_column();
    std::vector<std::int32_t> predicates;
    for (std::size_t token = 0; token < rows_.size(); ++token) {
      if (rows_[token].is_predicate) predicates.push_back(static_cast<std::int32_t>(token));
    }
    if (by_verbs) predicates = find_verbs();
    std::vector<std::string> labels;
    if (labeled()) labels = read_arguments(predicates.size());
    rows_.clear();
    sentence_.document = document_;
    return sentence_group(std::exchange(sentence_, {}), std::move(predicates), numbers_of(labels));
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
      refuse_row(rows_.front(), human_count(cells.size() + 1, "column"),
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
        refuse_row(rows_.front(), "a column of arguments without (V*)",
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
    refuse_row(rows_.front(), "predicates and arguments without words",
               "a column of words before them, as in: paste WORDS PREDICTED");
  }

  /// Returns the labels of all tokens of each predicate. A sentence without predicates may have one
  /// column of only *.
  std::vector<std::string> read_arguments(std::size_t predicates) const {
    std::vector<std::string> labels;
    const std::size_t columns = rows_.front().arguments.size();
    const bool is_empty =
        predicates == 0 && columns == 1 && std::ranges::all_of(rows_, [](const FrameRow& row) {
          return row.arguments.front() == "*";
        });
    if (is_empty) return labels;
    if (columns != predicates) {
      refuse_row(rows_.front(),
                 human_count(columns, "column") + " of arguments in a sentence with " +
                     human_count(predicates, format_ == kConll2005 ? "predicate" : "frameset"),
                 "a column for each of them");
    }
    for (std::size_t column = 0; column < columns; ++column) {
      BracketedSpans spans;
      for (const FrameRow& row : rows_) {
        labels.push_back(spans.label_of(row, row.arguments[column]));
        if (labels.back().size() > kMaxLabelBytes) {
          refuse_row(row, "a label of " + std::to_string(labels.back().size()) + " bytes",
                     "no more than " + std::to_string(kMaxLabelBytes));
        }
      }
      spans.end(rows_.back());
    }
    return labels;
  }

  const char* format_ = nullptr;  // null until detected
  std::shared_ptr<const Document> document_;
  RecordLines lines_;
  RepairedText line_;
  std::vector<TextRange> columns_;  // of line_
  // The current sentence.
  std::size_t bytes_ = 0;
  std::size_t column_count_ = 0;
  Sentence sentence_;
  std::vector<FrameRow> rows_;
};

}  // namespace

std::unique_ptr<ExampleReader> make_frame_reader(OpenedFile& file) {
  if (file.input.form == TextForm::jsonl) return std::make_unique<FrameRecords>(file);
  return std::make_unique<FrameColumns>(file);
}

}  // namespace elmo
