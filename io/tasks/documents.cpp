#include "io/tasks/documents.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/tasks/coref/coref_scores.h"
#include "io/json/json.h"
#include "io/json/json_document.h"
#include "io/labeled/examples.h"
#include "io/tasks/kinds.h"
#include "io/tasks/text_spans.h"
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

/// Returns the tokens of `words`, which begin at code point `begin` of the text. Empty if `words`
/// have no tokens; nothing if the text has no such words there.
std::optional<RowSpan> tokens_of(std::string_view words, std::uint64_t begin,
                                 const RepairedText& repaired,
                                 const std::vector<Sentence>& sentences) {
  const std::string_view text = repaired.text();
  const std::vector<std::uint32_t> begins = code_point_begins(text);
  const std::size_t at = begins[std::min<std::size_t>(begin, begins.size() - 1)];
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

// GAP's fields, in the order of the columns of its table:
// https://github.com/google-research-datasets/gap-coreference
constexpr std::string_view kGapHeader = "ID\tText\tPronoun\tPronoun-offset\t";
enum GapField : std::size_t {
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
  kGapFields
};

/// Their names in the table and in JSON.
constexpr std::array<std::pair<const char*, const char*>, kGapFields> kGapNames = {
    {{"ID", "id"},
     {"Text", "text"},
     {"Pronoun", "pronoun"},
     {"Pronoun-offset", "pronoun_start"},
     {"A", "a"},
     {"A-offset", "a_start"},
     {"A-coref", "a_coref"},
     {"B", "b"},
     {"B-offset", "b_start"},
     {"B-coref", "b_coref"}}};

/// A field of a row of GAP's table, read like a JsonNode.
struct GapCell {
  const std::string& value;
  const char* column;

  const std::string& text() const { return value; }
  std::uint64_t count() const {
    const auto number = number_of<std::uint64_t>(value);
    if (!number) refuse("a code point's number");
    return *number;
  }
  bool flag() const {
    const bool yes = value == "TRUE" || value == "True" || value == "true";
    if (!yes && value != "FALSE" && value != "False" && value != "false") refuse("TRUE or FALSE");
    return yes;
  }
  [[noreturn]] void refuse(const char* expected) const {
    throw InputError("found '" + excerpt(value) + "' in " + column + "; expected " + expected);
  }
};

/// Makes a document of a record of GAP, in JSON or a row of the table. `source` is its text, valid
/// or not; `field` returns the other fields, which are read if the file is labeled.
template <typename Field>
CorefDocument document_of(std::string_view source, std::uint64_t line,
                          const std::shared_ptr<const Document>& name, OpenedFile& file,
                          const Field& field) {
  CorefDocument document;
  document.sentences = sentences_of(source, line, name, file.context);
  document.gold.in_bytes = true;
  if (!file.input.labeled) return document;
  RepairedText text;
  text.assign(source);
  const auto read_tokens = [&](GapField words, GapField offset) {
    const auto tokens =
        tokens_of(field(words).text(), field(offset).count(), text, document.sentences);
    if (!tokens) field(offset).refuse("the code point of the text with which the words begin");
    if (tokens->begin == tokens->end) field(words).refuse("words with at least one token");
    return *tokens;
  };
  const std::optional<PronounGender> gender = gender_of(field(kGapPronoun).text());
  if (!gender) field(kGapPronoun).refuse("one of he, him, his, she, her and hers");
  document.gold.pronoun = {read_tokens(kGapPronoun, kGapPronounOffset),
                           *gender,
                           {{{read_tokens(kGapA, kGapAOffset), field(kGapACoref).flag()},
                             {read_tokens(kGapB, kGapBOffset), field(kGapBCoref).flag()}}}};
  return document;
}

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
    const JsonDocument json(line().text(), "", "a document with its sentences");
    if (!pronouns_) pronouns_ = !json["sentences"].is_there() && json["text"].is_there();
    group = coref_group(*pronouns_ ? read_pronoun(json) : read_sentences(json), file_.labels);
    return true;
  }

  std::shared_ptr<const Document> begin_document(const JsonNode& id) {
    if (!id.is_there()) return file_.context.begin_numbered_document(lines().number());
    return file_.context.begin_document(id.text());
  }

  CorefDocument read_sentences(const JsonDocument& json) {
    CorefDocument document;
    std::int64_t token_count = 0;
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
      token_count += static_cast<std::int64_t>(sentence.size());
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
    if (labeled()) read_clusters(json, token_count, document.gold.clusters);
    return document;
  }

  /// The speaker of a sentence, or the first one of its tokens.
  static std::string speaker_of(const JsonNode& node) {
    if (!node.is_array()) return node.is_null() ? "" : node.text();
    const std::vector<JsonNode> speakers = node.elements("a speaker a token");
    return speakers.empty() || speakers.front().is_null() ? "" : speakers.front().text();
  }

  void read_clusters(const JsonDocument& json, std::int64_t tokens,
                     std::vector<MentionCluster>& clusters) {
    const bool inclusive = json["doc_key"].is_there();
    std::set<RowSpan> mentions;
    for (const JsonNode& cluster : json["clusters"].elements("an array of clusters")) {
      MentionCluster& spans = clusters.emplace_back();
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

  CorefDocument read_pronoun(const JsonDocument& json) {
    const auto name = begin_document(json["id"]);
    return document_of(source_text(json, "text", line()), lines().number(), name, file_,
                       [&](GapField field) { return json[kGapNames[field].second]; });
  }

  std::optional<bool> pronouns_;  // true if records are GAP's
  bool inclusive_ = false;        // mentions were read with inclusive ends
};

bool is_gap_header(std::string_view line) { return line.starts_with(kGapHeader); }

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
      if (name_line(lines_, " (GAP); fix the file", [&] { return read(group); })) return true;
    }
    return false;
  }

 private:
  /// Reads the current line, unless it is blank or the header.
  bool read(ExampleGroup& group) {
    if (lines_.too_long()) {
      throw InputError("found more than " + std::to_string(kMaxRecordBytes) +
                       " bytes; expected less");
    }
    if (is_blank_line(lines_.line()) || is_gap_header(lines_.line())) return false;
    std::vector<std::string> fields;  // unparsed
    for (const std::string_view field : split(lines_.line(), '\t')) {
      fields.push_back(unquoted(field));
    }
    if (fields.size() < kGapFields) {
      throw InputError("found " + std::to_string(fields.size()) +
                       " columns; expected ID, Text, Pronoun and more, as in the first line");
    }
    const std::string source = fields[kGapText];
    for (std::string& field : fields) {
      field_.assign(field);
      field = field_.text();
    }
    const auto name = file_.context.begin_document(fields[kGapId]);
    const auto cell = [&](GapField field) {
      return GapCell{fields[field], kGapNames[field].first};
    };
    group = coref_group(document_of(source, lines_.number(), name, file_, cell), file_.labels);
    return true;
  }

  RecordLines lines_;
  RepairedText field_;
};

class CorefWriter final : public PredictionWriter {
 public:
  std::string text_of(const ExampleGroup& group, TaskPredictions predictions) override {
    std::vector<MentionCluster> clusters;
    std::vector<ByteSpan> bytes;  // of the tokens; empty if spans count tokens
    if (!predictions.empty()) {
      clusters = predictions.front()->as<ClusterPrediction>().clusters;
      const TaskRecord& record = group.records.front();
      for (const std::uint64_t text : record.texts) {
        if (!record.gold->as<CorefGold>().in_bytes) break;
        const std::vector<ByteSpan>& spans = group.texts[text].spans();
        bytes.insert(bytes.end(), spans.begin(), spans.end());
      }
    }
    const auto span_text = [&](RowSpan span) {
      if (!bytes.empty()) {
        const ByteSpan first = bytes[static_cast<std::size_t>(span.begin)];
        const ByteSpan last = bytes[static_cast<std::size_t>(span.end - 1)];
        span = {static_cast<std::int64_t>(first.begin), static_cast<std::int64_t>(last.end)};
      }
      const std::array ends{span.begin, span.end};
      return json_list_text(ends, [](std::int64_t end) { return json_number(end); });
    };
    const auto cluster_text = [&](const MentionCluster& cluster) {
      return json_list_text(cluster, span_text);
    };
    return R"({"document": )" + json_text(group.texts.front().document->id) + R"(, "clusters": )" +
           json_list_text(clusters, cluster_text) + "}\n";
  }
};

std::unique_ptr<ExampleReader> document_reader(OpenedFile& file) {
  if (file.input.form == TextForm::jsonl) return std::make_unique<CorefRecords>(file);
  if (begins_with_gap_header(file.window)) return std::make_unique<GapTable>(file);
  return make_document_columns(file);
}

std::unique_ptr<ExampleSource> documents_of_text(SentenceSource& sentences) {
  auto gold = std::make_shared<CorefGold>();
  gold->in_bytes = true;
  return examples_of_documents(sentences, std::move(gold));
}

std::unique_ptr<PredictionWriter> cluster_writer(const WriterOptions& options) {
  if (options.format != PredictionFormat::jsonl) {
    throw RequestError("the model finds clusters of mentions, which are written as jsonl alone");
  }
  return std::make_unique<CorefWriter>();
}

}  // namespace

LabeledKind labeled_documents() {
  return {
      .task = coref_kind(),
      .format = {"found no document; expected documents with their clusters",
                 "found no cluster in any document; expected clusters of mentions", document_reader,
                 kConllNames,
                 [](std::string_view line) {
                   return line.starts_with(kDocumentBegin) || is_gap_header(line);
                 }},
      .forms = {{.form = TextForm::text, .lines = true, .tokenizer = true},
                {.form = TextForm::tokens},
                {.form = TextForm::jsonl, .as_labeled = true, .tokenizer = true, .records = true},
                {.form = TextForm::conllu},
                {.form = TextForm::columns, .as_labeled = true}},
      .examples_of = documents_of_text,
      .writer = cluster_writer};
}

}  // namespace elmo
