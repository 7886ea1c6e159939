#include "io/labeled/labeled_texts.h"

#include <cstddef>
#include <span>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/inference/sentence.h"
#include "io/labeled/labeled_reader.h"
#include "io/labeled/opened_file.h"
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

}  // namespace

bool TextRecordReader::next(LabeledSentence& labeled) {
  if (texts_left_ == 0 && !next_record()) return false;
  std::swap(labeled.sentence, record_.texts[shape_.texts - texts_left_]);
  --texts_left_;
  if (shape_.labeled) labeled.labels.push_back(record_.label);
  return true;
}

bool TextRecordReader::next_record() {
  while (lines_.next()) {
    try {
      if (lines_.too_long() || lines_.line().size() > kMaxSentenceBytes) {
        throw InputError("found more than " + std::to_string(kMaxSentenceBytes) +
                         " bytes; expected smaller records");
      }
      line_.assign(lines_.line());
      if (line_.text().find_first_not_of(blanks_) == std::string_view::npos) continue;
      record_.texts.assign(shape_.texts, {});
      if (!read(line_.text(), record_)) {
        ++without_gold_;
        continue;
      }
      check(record_);
    } catch (const InputError& error) {
      leave_out_or_refuse(context_, shape_.labeled,
                          name_ + ": line " + std::to_string(lines_.number()) + ": ", error);
      continue;
    }
    for (Sentence& text : record_.texts) text.stand_in_line(lines_.number());
    texts_left_ = shape_.texts;
    return true;
  }
  return false;
}

void TextRecordReader::check(const TextRecord& record) const {
  if (shape_.labeled) check_label(record.label);
  for (const Sentence& text : record.texts) {
    if (shape_.labeled && text.size() == 0) {
      throw InputError("found a text without any word; expected words");
    }
    if (text.size() > kDefaultMaxSentenceTokens) {
      throw InputError("found a text of " + std::to_string(text.size()) +
                       " tokens; expected no more than " +
                       std::to_string(kDefaultMaxSentenceTokens));
    }
  }
}

void TextRecordReader::add_words(std::string_view text, std::uint64_t offset, Sentence& sentence) {
  text_.assign(text);
  for (const TextRange& token : context_.segmenter().tokens_of(text_.text())) {
    add_token(text_, token, offset, sentence);
  }
}

bool TextLines::read(std::string_view valid, TextRecord& record) {
  const std::string_view line = lines().line();
  const std::size_t columns = shape().texts + (shape().label_column ? 1 : 0);
  std::vector<std::size_t> begins = {0};
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\t') begins.push_back(i + 1);
  }
  if (begins.size() != columns) {
    throw InputError("found " + std::to_string(begins.size() - 1) +
                     (begins.size() == 2 ? " tab" : " tabs") + "; expected " +
                     (!shape().label_column
                          ? (shape().texts == 1 ? "none, in a text" : "one, between two texts")
                      : shape().texts == 1 ? "one, between a label and a text"
                                           : "two, behind a label and between two texts"));
  }
  begins.push_back(line.size() + 1);
  std::size_t column = 0;
  if (shape().label_column) {
    record.label = valid.substr(0, valid.find('\t'));
    ++column;
  }
  for (Sentence& text : record.texts) {
    const std::size_t begin = begins[column++];
    text.document = document_;
    add_words(line.substr(begin, begins[column] - 1 - begin), lines().offset() + begin, text);
  }
  return true;
}

TextJsonLines::TextJsonLines(ByteWindow& window, std::string name, ReadingContext& context,
                             const TextRecordShape& shape)
    : TextRecordReader(window, std::move(name), context, shape),
      names_{"id", "label", "gold_label"} {
  for (std::size_t i = 0; i < shape.texts; ++i) {
    const std::vector<std::string>& names = shape.texts == 1 ? kOnlyText : kPairs[i];
    names_.insert(names_.end(), names.begin(), names.end());
  }
}

// Returns false for a pair without a gold label.
bool TextJsonLines::read_label(const std::vector<JsonField>& fields, TextRecord& record) const {
  const bool gold = shape().texts == 2 && !is_given(fields[kLabel]) && is_given(fields[kGoldLabel]);
  const JsonField& label = fields[gold ? kGoldLabel : kLabel];
  if (!label.is_text()) refuse_field(label, "label", "a string or a number");
  record.label = label.text;
  if (gold && label.text == kNoAgreement) return false;
  return shape().texts == 1 || label.kind != JsonField::Kind::number ||
         label.text != kNoAgreementNumber;
}

bool TextJsonLines::read(std::string_view valid, TextRecord& record) {
  std::vector<JsonField> fields = parse_json_fields(valid, names_);
  if (repaired_line().first_repair() != RepairedText::npos) {
    const std::vector<JsonField> marked = parse_json_fields(repaired_line().marked(), names_);
    for (std::size_t i = kFirstText; i < fields.size(); ++i)
      take_back_repairs(marked[i], fields[i]);
  }
  if (shape().labeled && !read_label(fields, record)) return false;

  const bool named = is_given(fields[kId]);
  if (named && !fields[kId].is_text()) refuse_field(fields[kId], "id", "a string or a number");
  const auto document =
      context().begin_document(named ? fields[kId].text : std::to_string(lines().number()));
  const std::size_t choices = (fields.size() - kFirstText) / shape().texts;
  for (std::size_t i = 0; i < shape().texts; ++i) {
    std::size_t place = kFirstText + i * choices;
    const std::string& first_name = names_[place];
    const std::size_t of_tokens = place + choices - 1;
    while (place < of_tokens && !is_given(fields[place])) ++place;
    const JsonField& field = fields[place];
    const bool listed = place == of_tokens;
    if (listed && !is_given(field)) {
      refuse_field(field, first_name, "a text, or a list in a field '" + names_[of_tokens] + "'");
    }
    if (listed ? field.kind != JsonField::Kind::list : !field.is_text()) {
      refuse_field(field, names_[place], listed ? "a list of tokens" : "a string");
    }
    record.texts[i].document = document;
    if (listed) {
      add_listed_tokens(field.list, record.texts[i]);
    } else {
      add_words(field.text, 0, record.texts[i]);
    }
  }
  return true;
}

std::unique_ptr<LabeledFile> open_labeled_texts(const LabeledTextInput& input,
                                                std::unique_ptr<ByteSource> bytes) {
  LabeledOpening opening{input.file, FormatOptions(), input.stop, input.labeled,
                         "found no text; expected texts with a label each"};
  opening.format.format = InputFormat::text;
  opening.format.tokenizer = input.tokenizer;
  opening.format.strict = input.strict;
  opening.format.skip_bad_records = input.skip_bad_records;
  const TextRecordShape shape{input.pairs ? std::size_t{2} : std::size_t{1}, input.labeled,
                              input.label_column};
  const auto make_reader = [&](ByteWindow& window,
                               ReadingContext& context) -> std::unique_ptr<LabeledReader> {
    if (without_compression(input.file).ends_with(".jsonl") || begins_with_object(window)) {
      return std::make_unique<TextJsonLines>(window, input.file, context, shape);
    }
    return std::make_unique<TextLines>(window, input.file, context, shape);
  };
  return std::make_unique<LabeledFile>(opening, std::move(bytes), make_reader);
}

}  // namespace elmo
