#include "io/labeled/text_examples.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/inference/sentence.h"
#include "io/json/json_fields.h"
#include "io/text/bytes/decompression.h"
#include "io/text/formats/jsonl_reader.h"

namespace elmo {
namespace {

// Indices of the fields of a JSON record, in the order of names_.
enum Field : std::size_t { kId, kLabel, kGoldLabel, kFirstText };

// Names of each text's field, in order of preference. The last name of each row is for tokens.
const std::vector<std::string> kOnlyText = {"text", "tokens"};
const std::vector<std::string> kPairs[] = {{"text1", "sentence1", "premise", "tokens1"},
                                           {"text2", "sentence2", "hypothesis", "tokens2"}};

/// The "gold_label" of pairs that SNLI's annotators did not agree on, and the number used as
/// "label".
constexpr std::string_view kNoAgreement = "-";
constexpr std::string_view kNoAgreementNumber = "-1";

bool is_given(const JsonField& field) { return field.kind != JsonField::Kind::absent; }

/// Reads records of one or two texts and their label.
class TextRecords : public RecordReader {
 public:
  TextRecords(OpenedFile& file, std::size_t texts, std::string_view blanks = " \t\r")
      : RecordReader(file, kMaxSentenceBytes, blanks), texts_(texts) {}

 protected:
  std::size_t texts() const { return texts_; }

  /// Adds the tokens of `text`, valid or not, which begins at byte `offset` of its document.
  void add_words(std::string_view text, std::uint64_t offset, Sentence& sentence) {
    text_.assign(text);
    for (const TextRange& token : file_.context.segmenter().tokens_of(text_.text())) {
      file_.context.add_words(text_, token, offset, sentence);
    }
  }

 private:
  /// Parses the line into empty texts and the label, if labels are read. Returns false if it has no
  /// gold label.
  virtual bool read_texts(std::vector<Sentence>& texts, std::string& label) = 0;

  bool read(ExampleGroup& group) final {
    group.texts.resize(texts_);
    std::string label;
    if (!read_texts(group.texts, label)) return false;
    if (labeled()) check_label(label);
    TaskRecord record;
    bool has_words = true;
    for (Sentence& text : group.texts) {
      if (labeled() && text.size() == 0) {
        throw InputError("found a text without any word; expected words");
      }
      if (text.size() > kDefaultMaxSentenceTokens) {
        throw InputError("found a text of " + std::to_string(text.size()) +
                         " tokens; expected no more than " +
                         std::to_string(kDefaultMaxSentenceTokens));
      }
      text.stand_in_line(lines().number());
      has_words = has_words && text.size() > 0;
      record.texts.push_back(record.texts.size());
    }
    if (!has_words) return true;
    record.labels = numbers_of({label});
    group.records.push_back(std::move(record));
    return true;
  }

  std::size_t texts_;
  RepairedText text_;
};

/// Reads lines of a label and texts.
class TextLines final : public TextRecords {
 public:
  TextLines(OpenedFile& file, std::size_t texts)
      : TextRecords(file, texts, blanks(file, texts)),
        document_(file.context.begin_document(file.input.file)) {}

 private:
  /// If there is no column of labels, a line with only a TAB is a pair of empty texts.
  static std::string_view blanks(const OpenedFile& file, std::size_t texts) {
    return texts == 2 && !file.input.label_column ? " \r" : " \t\r";
  }

  bool read_texts(std::vector<Sentence>& to, std::string& label) override {
    const std::string_view text = lines().line();
    const bool label_column = file_.input.label_column;
    std::vector<std::size_t> begins = {0};
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\t') begins.push_back(i + 1);
    }
    if (begins.size() != texts() + (label_column ? 1 : 0)) {
      throw InputError("found " + std::to_string(begins.size() - 1) +
                       (begins.size() == 2 ? " tab" : " tabs") + "; expected " +
                       (!label_column
                            ? (texts() == 1 ? "none, in a text" : "one, between two texts")
                        : texts() == 1 ? "one, between a label and a text"
                                       : "two, one after the label and one between the texts"));
    }
    begins.push_back(text.size() + 1);
    std::size_t column = 0;
    if (label_column) {
      label = line().text().substr(0, line().text().find('\t'));
      ++column;
    }
    for (Sentence& sentence : to) {
      const std::size_t begin = begins[column++];
      sentence.document = document_;
      add_words(text.substr(begin, begins[column] - 1 - begin), lines().offset() + begin, sentence);
    }
    return true;
  }

  std::shared_ptr<const Document> document_;
};

/// Reads JSON Lines.
class TextJsonLines final : public TextRecords {
 public:
  TextJsonLines(OpenedFile& file, std::size_t texts)
      : TextRecords(file, texts), names_{"id", "label", "gold_label"} {
    for (std::size_t i = 0; i < texts; ++i) {
      const std::vector<std::string>& names = texts == 1 ? kOnlyText : kPairs[i];
      names_.insert(names_.end(), names.begin(), names.end());
    }
  }

 private:
  // Returns false for a pair without a gold label.
  bool read_label(const std::vector<JsonField>& fields, std::string& to) const {
    const bool gold = texts() == 2 && !is_given(fields[kLabel]) && is_given(fields[kGoldLabel]);
    const JsonField& label = fields[gold ? kGoldLabel : kLabel];
    if (!label.is_text()) refuse_field(label, "label", "a string or a number");
    to = label.text;
    if (gold && label.text == kNoAgreement) return false;
    return texts() == 1 || label.kind != JsonField::Kind::number ||
           label.text != kNoAgreementNumber;
  }

  bool read_texts(std::vector<Sentence>& to, std::string& label) override {
    std::vector<JsonField> fields = parse_json_fields(line().text(), names_);
    if (line().first_repair() != RepairedText::npos) {
      const std::vector<JsonField> marked = parse_json_fields(line().marked(), names_);
      for (std::size_t i = kFirstText; i < fields.size(); ++i) {
        take_back_repairs(marked[i], fields[i]);
      }
    }
    if (labeled() && !read_label(fields, label)) return false;

    const bool named = is_given(fields[kId]);
    if (named && !fields[kId].is_text()) refuse_field(fields[kId], "id", "a string or a number");
    const auto document =
        file_.context.begin_document(named ? fields[kId].text : std::to_string(lines().number()));
    const std::size_t choices = (fields.size() - kFirstText) / texts();
    for (std::size_t i = 0; i < texts(); ++i) {
      std::size_t chosen = kFirstText + i * choices;
      const std::string& first_name = names_[chosen];
      const std::size_t of_tokens = chosen + choices - 1;
      while (chosen < of_tokens && !is_given(fields[chosen])) ++chosen;
      const JsonField& field = fields[chosen];
      const bool listed = chosen == of_tokens;
      if (listed && !is_given(field)) {
        refuse_field(field, first_name, "a text, or a list in a field '" + names_[of_tokens] + "'");
      }
      if (listed ? field.kind != JsonField::Kind::list : !field.is_text()) {
        refuse_field(field, names_[chosen], listed ? "a list of tokens" : "a string");
      }
      to[i].document = document;
      if (listed) {
        add_listed_tokens(field.list, to[i]);
      } else {
        add_words(field.text, 0, to[i]);
      }
    }
    return true;
  }

  std::vector<std::string> names_;  // names of fields
};

std::unique_ptr<ExampleReader> reader_of_texts(OpenedFile& file, std::size_t texts) {
  if (without_compression(file.input.file).ends_with(".jsonl") || begins_with_object(file.window)) {
    return std::make_unique<TextJsonLines>(file, texts);
  }
  return std::make_unique<TextLines>(file, texts);
}

}  // namespace

std::unique_ptr<ExampleReader> make_text_reader(OpenedFile& file) {
  return reader_of_texts(file, 1);
}

std::unique_ptr<ExampleReader> make_pair_reader(OpenedFile& file) {
  return reader_of_texts(file, 2);
}

bool lacks_label(const std::string& file, std::size_t texts) {
  const std::string line = first_line_of(file);
  return !line.empty() && static_cast<std::size_t>(std::ranges::count(line, '\t')) + 1 == texts;
}

}  // namespace elmo
