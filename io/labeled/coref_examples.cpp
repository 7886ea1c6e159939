#include "io/labeled/coref_examples.h"

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/tasks/coref/coref_scores.h"
#include "core/text.h"
#include "io/json/json_document.h"
#include "io/labeled/coref_columns.h"
#include "io/text/formats/free_text_reader.h"
#include "io/text/segment/characters.h"
#include "io/text/segment/utf8.h"

namespace elmo {
namespace {

constexpr std::array<std::pair<std::string_view, PronounGender>, 6> kPronouns = {
    {{"he", PronounGender::masculine},
     {"him", PronounGender::masculine},
     {"his", PronounGender::masculine},
     {"she", PronounGender::feminine},
     {"her", PronounGender::feminine},
     {"hers", PronounGender::feminine}}};

std::optional<PronounGender> gender_of(std::string_view pronoun) {
  const std::string lower = lower_case(pronoun);
  for (const auto& [word, gender] : kPronouns) {
    if (word == lower) return gender;
  }
  return std::nullopt;
}

constexpr const char* kExpectedPronoun = "one of he, him, his, she, her and hers";
constexpr const char* kExpectedBegin = "the code point of the text with which the words begin";
constexpr const char* kExpectedWords = "words with at least one token";

/// Returns the tokens of `words`, which begin at code point `begin` of the text. Empty if `words`
/// have no tokens; nothing if the text has no such words there.
std::optional<RowSpan> tokens_of(std::string_view words, std::uint64_t begin,
                                 const RepairedText& repaired,
                                 const std::vector<Sentence>& sentences) {
  const std::string_view text = repaired.text();
  std::size_t at = 0;
  for (std::uint64_t n = 0; n < begin && at < text.size(); ++n) next_code_point(text, at);
  if (words.empty() || text.substr(at, words.size()) != words) return std::nullopt;
  const std::size_t first = repaired.source_offset(at);
  const std::size_t end = repaired.source_offset(at + words.size());
  RowSpan tokens{0, 0};
  std::int64_t token = 0;
  for (const Sentence& sentence : sentences) {
    for (const ByteSpan& span : sentence.spans()) {
      if (span.begin < end && span.end > first) {
        if (tokens.begin == tokens.end) tokens.begin = token;
        tokens.end = token + 1;
      }
      ++token;
    }
  }
  return tokens;
}

/// Segments the document's text, valid or not, into sentences. Adds its gold data without the
/// pronoun.
void read_text(const std::string& source, std::uint64_t line,
               const std::shared_ptr<const Document>& name, ReadingContext& context,
               CorefDocument& document) {
  ByteWindow window{std::string_view(source)};
  const auto reader = make_raw_text_reader({window, name->id, context, name});
  for (Sentence sentence; reader->next(sentence); sentence = {}) {
    sentence.set_line(line);
    document.sentences.push_back(std::move(sentence));
  }
  document.gold.emplace().in_bytes = true;
}

// GAP's table: https://github.com/google-research-datasets/gap-coreference
constexpr std::string_view kGapHeader = "ID\tText\tPronoun\tPronoun-offset\t";
enum GapColumn : std::size_t {
  kGapId,
  kGapText,
  kGapPronoun,
  kGapPronounOffset,
  kGapA,
  kGapAOffset,
  kGapACoref,
  kGapB,
  kGapBOffset,
  kGapBCoref,
  kGapColumns
};
constexpr std::array<const char*, kGapColumns> kGapNames = {
    "ID",       "Text",    "Pronoun", "Pronoun-offset", "A",
    "A-offset", "A-coref", "B",       "B-offset",       "B-coref"};

/// Returns a field without its quotation marks, and with doubled ones inside replaced by single
/// ones.
std::string unquoted(std::string_view field) {
  if (field.size() < 2 || !field.starts_with('"') || !field.ends_with('"')) {
    return std::string(field);
  }
  std::string text;
  for (std::size_t at = 1; at + 1 < field.size(); ++at) {
    if (field[at] == '"' && (field[++at] != '"' || at + 1 == field.size())) {
      return std::string(field);
    }
    text += field[at];
  }
  return text;
}

/// Reads JSON Lines: documents or GAP's records. All records have the first one's type.
class CorefRecords final : public RecordReader {
 public:
  explicit CorefRecords(OpenedFile& file) : RecordReader(file, kMaxRecordBytes) {}

  std::string note() const override {
    return inclusive_ ? "records with \"doc_key\" are read with the inclusive ends of e2e-coref"
                      : "";
  }

 private:
  bool read(ExampleGroup& group) override {
    CorefDocument document;
    read_record(JsonDocument(line().text(), "", "a document with its sentences"), document);
    group = coref_group(std::move(document), file_.labels);
    return true;
  }

  void read_record(const JsonDocument& json, CorefDocument& document) {
    if (!pronouns_) pronouns_ = !json["sentences"].is_there() && json["text"].is_there();
    if (*pronouns_) {
      read_pronoun(json, document);
      return;
    }
    read_sentences(json, document);
    if (!labeled()) return;
    std::int64_t tokens = 0;
    for (const Sentence& sentence : document.sentences) {
      tokens += static_cast<std::int64_t>(sentence.size());
    }
    read_clusters(json, tokens, document);
  }

  std::shared_ptr<const Document> begin_document(const JsonNode& id) {
    if (!id.is_there()) return file_.context.begin_numbered_document(lines().number());
    return file_.context.begin_document(id.text());
  }

  void read_sentences(const JsonDocument& json, CorefDocument& document) {
    const JsonNode key = json["doc_key"];
    const auto name = begin_document(key.is_there() ? key : json["document"]);
    for (const JsonNode& tokens : json["sentences"].elements("an array of sentences")) {
      Sentence& sentence = document.sentences.emplace_back();
      sentence.document = name;
      sentence.set_line(lines().number());
      add_listed_tokens(tokens.texts(), sentence);
      if (sentence.size() > kDefaultMaxSentenceTokens) {
        tokens.refuse("a sentence of no more than " + std::to_string(kDefaultMaxSentenceTokens) +
                      " tokens");
      }
    }
    if (document.sentences.empty()) json["sentences"].refuse("at least one sentence");
    if (const JsonNode genre = json["genre"]; genre.is_there()) {
      document.genre = genre.text();
      check_label(document.genre);
    }
    if (const JsonNode speakers = json["speakers"]; speakers.is_there()) {
      for (const JsonNode& speaker : speakers.elements("an array with a speaker a sentence")) {
        document.speakers.push_back(speaker_of(speaker));
      }
      if (document.speakers.size() != document.sentences.size()) {
        speakers.refuse("a speaker for each of the " + std::to_string(document.sentences.size()) +
                        " sentences");
      }
    }
  }

  /// The speaker of a sentence, or the first one of its tokens.
  static std::string speaker_of(const JsonNode& node) {
    if (!node.is_array()) return node.is_null() ? "" : node.text();
    const std::vector<JsonNode> speakers = node.elements("a speaker a token");
    return speakers.empty() || speakers.front().is_null() ? "" : speakers.front().text();
  }

  void read_clusters(const JsonDocument& json, std::int64_t tokens, CorefDocument& document) {
    const bool inclusive = json["doc_key"].is_there();
    std::set<RowSpan> mentions;
    for (const JsonNode& cluster : json["clusters"].elements("an array of clusters")) {
      MentionCluster& spans = document.clusters.emplace_back();
      for (const JsonNode& span : cluster.elements("an array of spans")) {
        spans.push_back(span_of(span, tokens, inclusive));
        if (!mentions.insert(spans.back()).second) {
          span.refuse("a span that is in no cluster yet");
        }
      }
    }
    inclusive_ = inclusive_ || (inclusive && !mentions.empty());
  }

  /// Reads [first token, token after the last], or the last one itself if ends are `inclusive`.
  static RowSpan span_of(const JsonNode& node, std::int64_t tokens, bool inclusive) {
    const std::string last = inclusive ? "the last token" : "the token after the last";
    const std::vector<JsonNode> ends = node.elements("the first token and " + last);
    if (ends.size() != 2) node.refuse("the first token and " + last);
    const std::int64_t begin = ends[0].whole(0, tokens - 1);
    const std::int64_t end = ends[1].whole();
    const std::int64_t least = inclusive ? begin : begin + 1;
    const std::int64_t most = inclusive ? tokens - 1 : tokens;
    if (end < least || end > most) {
      ends[1].refuse(last + ", " + std::to_string(least) + " to " + std::to_string(most) +
                     (inclusive ? " (ends are inclusive in records with \"doc_key\")"
                                : " (ends are exclusive, except in records with \"doc_key\")"));
    }
    return {begin, inclusive ? end + 1 : end};
  }

  void read_pronoun(const JsonDocument& json, CorefDocument& document) {
    const auto name = begin_document(json["id"]);
    std::string source = json["text"].text();
    if (line().first_repair() != RepairedText::npos) {
      source = before_repair(source, JsonDocument(line().marked(), "", "a text")["text"].text());
    }
    read_text(source, lines().number(), name, file_.context, document);
    if (!labeled()) return;
    RepairedText text;
    text.assign(source);
    const auto read_tokens = [&](const char* words_key, const char* begin_key) {
      const JsonNode words = json[words_key];
      const JsonNode begin = json[begin_key];
      const auto tokens = tokens_of(words.text(), begin.count(), text, document.sentences);
      if (!tokens) begin.refuse(kExpectedBegin);
      if (tokens->begin == tokens->end) words.refuse(kExpectedWords);
      return *tokens;
    };
    const std::optional<PronounGender> gender = gender_of(json["pronoun"].text());
    if (!gender) json["pronoun"].refuse(kExpectedPronoun);
    AmbiguousPronoun& pronoun = document.gold->pronoun.emplace();
    pronoun.gender = *gender;
    pronoun.pronoun = read_tokens("pronoun", "pronoun_start");
    pronoun.names = {AmbiguousPronoun::Name{read_tokens("a", "a_start"), json["a_coref"].flag()},
                     AmbiguousPronoun::Name{read_tokens("b", "b_start"), json["b_coref"].flag()}};
  }

  std::optional<bool> pronouns_;  // true if records are GAP's
  bool inclusive_ = false;        // mentions were read with inclusive ends
};

/// True if the window begins with GAP's header. Reads no further than necessary.
bool begins_with_gap_header(ByteWindow& window) {
  for (std::size_t size = 1; size <= kGapHeader.size(); ++size) {
    if (!window.fill(size) || window.view()[size - 1] != kGapHeader[size - 1]) return false;
  }
  return true;
}

/// Reads GAP's table.
class GapTable final : public ExampleReader {
 public:
  explicit GapTable(OpenedFile& file) : ExampleReader(file), lines_(file.window) {}

  bool next(ExampleGroup& group) override {
    while (lines_.next()) {
      try {
        if (lines_.too_long()) {
          throw InputError("found more than " + std::to_string(kMaxRecordBytes) +
                           " bytes; expected less");
        }
        if (is_blank_line(lines_.line()) || is_gap_header(lines_.line())) continue;
        CorefDocument document;
        read(document);
        group = coref_group(std::move(document), file_.labels);
        return true;
      } catch (const InputError& error) {
        throw InputError(in_line(lines_.number()) + error.what() + " (GAP); fix the file");
      }
    }
    return false;
  }

 private:
  void read(CorefDocument& document) {
    std::vector<std::string> fields;  // unparsed
    for (const std::string_view field : split(lines_.line(), '\t')) {
      fields.push_back(unquoted(field));
    }
    if (fields.size() < kGapColumns) {
      throw InputError("found " + std::to_string(fields.size()) +
                       " columns; expected ID, Text, Pronoun and more, as in the first line");
    }
    const std::string source = fields[kGapText];
    for (std::string& field : fields) {
      field_.assign(field);
      field = field_.text();
    }
    const auto name = file_.context.begin_document(fields[kGapId]);
    read_text(source, lines_.number(), name, file_.context, document);
    if (!labeled()) return;
    field_.assign(source);
    const auto refuse = [&](GapColumn column, const std::string& expected) {
      throw InputError("found '" + excerpt(fields[column]) + "' in " + kGapNames[column] +
                       "; expected " + expected);
    };
    const auto read_tokens = [&](GapColumn words, GapColumn offset) {
      const auto begin = number_of<std::uint64_t>(fields[offset]);
      if (!begin) refuse(offset, "a code point's number");
      const auto tokens = tokens_of(fields[words], *begin, field_, document.sentences);
      if (!tokens) refuse(offset, kExpectedBegin);
      if (tokens->begin == tokens->end) refuse(words, kExpectedWords);
      return *tokens;
    };
    const auto read_name = [&](GapColumn words, GapColumn offset, GapColumn meant) {
      const std::string& flag = fields[meant];
      const bool yes = flag == "TRUE" || flag == "True" || flag == "true";
      if (!yes && flag != "FALSE" && flag != "False" && flag != "false") {
        refuse(meant, "TRUE or FALSE");
      }
      return AmbiguousPronoun::Name{read_tokens(words, offset), yes};
    };
    const std::optional<PronounGender> gender = gender_of(fields[kGapPronoun]);
    if (!gender) refuse(kGapPronoun, kExpectedPronoun);
    AmbiguousPronoun& pronoun = document.gold->pronoun.emplace();
    pronoun.gender = *gender;
    pronoun.pronoun = read_tokens(kGapPronoun, kGapPronounOffset);
    pronoun.names = {read_name(kGapA, kGapAOffset, kGapACoref),
                     read_name(kGapB, kGapBOffset, kGapBCoref)};
  }

  RecordLines lines_;
  RepairedText field_;
};

class CorefTexts final : public ExampleSource {
 public:
  explicit CorefTexts(SentenceSource& sentences) : sentences_(sentences) {}

  bool next(ExampleGroup& group) override {
    group = {};
    if (!has_next_ && !read()) return false;
    const std::shared_ptr<const Document> document = next_.document;
    TaskRecord record;
    do {
      if (next_.size() > 0) record.texts.push_back(group.texts.size());
      group.texts.push_back(std::exchange(next_, {}));
    } while (read() && next_.document == document);
    auto gold = std::make_shared<CorefGold>();
    gold->in_bytes = true;
    record.gold = std::move(gold);
    if (!record.texts.empty()) group.records.push_back(std::move(record));
    return true;
  }
  const std::string& name() const override { return name_; }

 private:
  bool read() { return has_next_ = sentences_.next(next_); }

  SentenceSource& sentences_;
  Sentence next_;  // first sentence of the next document
  bool has_next_ = false;
  std::string name_;
};

}  // namespace

bool is_gap_header(std::string_view line) { return line.starts_with(kGapHeader); }

std::unique_ptr<ExampleReader> make_coref_reader(OpenedFile& file) {
  if (file.input.form == TextForm::jsonl) return std::make_unique<CorefRecords>(file);
  if (begins_with_gap_header(file.window)) return std::make_unique<GapTable>(file);
  return make_coref_columns(file);
}

std::unique_ptr<ExampleSource> coref_examples_of_text(SentenceSource& sentences) {
  return std::make_unique<CorefTexts>(sentences);
}

std::string scored_pronoun(const TaskRecord& record) {
  const auto* const document = record.gold_as<CorefGold>();
  if (document == nullptr || !document->pronoun) return {};
  const AmbiguousPronoun& pronoun = *document->pronoun;
  const auto line = [](const RowSpan& span, int fact) {
    return std::to_string(span.begin) + " " + std::to_string(span.end) + " " +
           std::to_string(fact) + "\n";
  };
  std::string text = line(pronoun.pronoun, static_cast<int>(pronoun.gender));
  for (const auto& name : pronoun.names) text += line(name.tokens, name.is_meant ? 1 : 0);
  return text;
}

}  // namespace elmo
