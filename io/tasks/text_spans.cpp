#include "io/tasks/text_spans.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/text.h"
#include "io/json/json_document.h"
#include "io/text/formats/readers.h"
#include "io/text/segment/utf8.h"

namespace elmo {
namespace {

/// A span of characters, in code points, and of the bytes that they have.
struct TextSpan {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::string label;
  std::optional<std::string> text;  ///< its text, if the record repeats it
  ByteSpan bytes{};

  std::string name() const {
    return "the span of '" + excerpt(label) + "' from " + std::to_string(begin) + " to " +
           std::to_string(end);
  }
};

/// Returns the first of these members that exists, otherwise the first one.
JsonNode first_present(const JsonNode& node, std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    if (JsonNode found = node[key]; found.is_there()) return found;
  }
  return node[*keys.begin()];
}

/// The only label in the member `key`, a list.
const std::string& only_label(const JsonNode& node, std::string_view key) {
  const std::vector<JsonNode> labels = node[key].elements("an array with one label");
  if (labels.size() != 1) node[key].refuse("one label");
  return labels.front().text();
}

TextSpan text_span_of(const JsonNode& node, std::string_view labels_key = "labels") {
  TextSpan span;
  if (node.is_array()) {
    const std::vector<JsonNode> members = node.elements();
    if (members.size() != 3) node.refuse("[begin, end, label]");
    span.begin = members[0].count();
    span.end = members[1].count();
    span.label = members[2].text();
  } else {
    const JsonNode global = node["globalOffsets"];
    const JsonNode& at = global.is_there() ? global : node;
    span.begin = first_present(at, {"start", "start_offset"}).count();
    span.end = first_present(at, {"end", "end_offset"}).count();
    span.label = node[labels_key].is_there() ? only_label(node, labels_key) : node["label"].text();
    if (const JsonNode text = node["text"]; text.is_there()) span.text = text.text();
  }
  check_label(span.label);
  return span;
}

/// Adds the spans of an annotation by Label Studio.
void add_results(const JsonNode& annotation, std::vector<TextSpan>& spans, SpanCounters& counters) {
  for (const JsonNode& result : annotation["result"].elements("an array of spans")) {
    const std::string type = result["type"].is_there() ? result["type"].text() : "labels";
    if (type.ends_with("labels")) {
      spans.push_back(text_span_of(result["value"], type));
    } else {
      ++counters.results[type];
    }
  }
}

/// Returns the spans in the order of their beginnings; nothing if the record is no example.
std::optional<std::vector<TextSpan>> spans_of_record(const JsonNode& record,
                                                     SpanCounters& counters) {
  std::vector<TextSpan> spans;
  if (const JsonNode annotations = record["annotations"]; annotations.is_there()) {
    std::vector<JsonNode> all = annotations.elements("an array of annotations");
    std::erase_if(all, [](const JsonNode& annotation) {
      const JsonNode canceled = annotation["was_cancelled"];
      return canceled.is_there() && canceled.flag();
    });
    if (all.empty()) return std::nullopt;
    if (all.size() > 1) ++counters.repeated;
    add_results(all.front(), spans, counters);
  } else {
    const JsonNode answer = record["answer"];
    if (answer.is_text() && is_rejected(answer.text())) return std::nullopt;
    const JsonNode listed = first_present(record, {"spans", "label", "labels", "entities"});
    for (const JsonNode& span : listed.elements("an array of spans")) {
      spans.push_back(text_span_of(span));
    }
  }
  std::ranges::stable_sort(spans, {}, &TextSpan::begin);
  return spans;
}

/// Sets the bytes of spans of `text`, which are sorted and must not overlap.
void find_bytes(std::string_view text, std::vector<TextSpan>& spans) {
  const std::vector<std::uint32_t> begins = code_point_begins(text);
  std::uint64_t former_end = 0;
  for (TextSpan& span : spans) {
    if (span.begin < former_end) {
      throw InputError("found " + span.name() +
                       ", which overlaps the one before it; expected separate spans");
    }
    if (span.end <= span.begin || span.end >= begins.size()) {
      throw InputError("found " + span.name() +
                       "; expected an end after the beginning, and both within the text");
    }
    span.bytes = {begins[span.begin], begins[span.end]};
    former_end = span.end;
    const std::string_view found = text.substr(span.bytes.begin, span.bytes.end - span.bytes.begin);
    if (span.text && *span.text != found) {
      throw InputError("found " + span.name() + " with the text '" + excerpt(*span.text) +
                       "'; expected '" + excerpt(found) + "', which is there");
    }
  }
}

/// Labels the tokens that sorted spans overlap.
void label_tokens(const std::vector<TextSpan>& spans, std::vector<SpannedSentence>& sentences,
                  SpanCounters& counters) {
  std::vector<std::pair<SpannedSentence*, std::size_t>> tokens;
  for (SpannedSentence& spanned : sentences) {
    for (std::size_t i = 0; i < spanned.sentence.size(); ++i) tokens.emplace_back(&spanned, i);
  }
  const auto bytes_of = [&tokens](std::size_t token) {
    return tokens[token].first->sentence.spans()[tokens[token].second];
  };
  std::size_t first = 0;
  for (const TextSpan& span : spans) {
    while (first < tokens.size() && bytes_of(first).end <= span.bytes.begin) ++first;
    const SpannedSentence* former = nullptr;
    std::size_t parts = 0;
    bool widened = false;
    for (std::size_t token = first; token < tokens.size(); ++token) {
      const ByteSpan bytes = bytes_of(token);
      if (bytes.begin >= span.bytes.end) break;
      auto& [spanned, index] = tokens[token];
      std::string& label = spanned->labels[index];
      if (label != "O") {
        throw InputError("found two spans in the word '" + excerpt(spanned->sentence.token(index)) +
                         "'; expected at most one");
      }
      const bool begins = std::exchange(former, spanned) != spanned;
      label = (begins ? "B-" : "I-") + span.label;
      if (begins) ++parts;
      widened = widened || bytes.begin < span.bytes.begin || bytes.end > span.bytes.end;
    }
    if (parts == 0) {
      throw InputError("found " + span.name() + " without a word; expected spans around words");
    }
    if (widened) ++counters.widened;
    if (parts > 1) ++counters.divided;
  }
}

}  // namespace

std::vector<std::uint32_t> code_point_begins(std::string_view text) {
  std::vector<std::uint32_t> begins;
  for (std::size_t at = 0; at < text.size(); next_code_point(text, at)) {
    begins.push_back(static_cast<std::uint32_t>(at));
  }
  begins.push_back(static_cast<std::uint32_t>(text.size()));
  return begins;
}

std::vector<Sentence> sentences_of(std::string_view text, std::uint64_t line,
                                   const std::shared_ptr<const Document>& document,
                                   ReadingContext& context) {
  ByteWindow window{text};
  const auto reader = make_raw_text_reader({window, document->id, context, document});
  std::vector<Sentence> sentences;
  for (Sentence sentence; reader->next(sentence); sentence = {}) {
    sentence.set_line(line);
    sentences.push_back(std::move(sentence));
  }
  return sentences;
}

bool is_rejected(std::string_view answer) { return answer == "reject" || answer == "ignore"; }

std::string SpanCounters::note() const {
  std::string note = "labels are read as spans of characters";
  if (widened > 0) note += ", " + human_count(widened, "span") + " widened to whole words";
  if (divided > 0) note += ", " + human_count(divided, "span") + " divided between sentences";
  if (repeated > 0) {
    note += "; " + human_count(repeated, "text") +
            " with several annotations, of which the first is read";
  }
  std::uint64_t others = 0;
  for (const auto& [type, count] : results) others += count;
  if (others == 0) return note;
  const auto name = [](const auto& result) { return excerpt(result.first); };
  return note + "; " + human_count(others, "result") +
         " of other types left out: " + joined(results, ", ", name);
}

std::vector<SpannedSentence> read_spanned_text(OpenedFile& file, std::string_view json,
                                               std::uint64_t line, SpanCounters& counters) {
  const JsonDocument document(json, "", "a text with labeled spans");
  std::optional<std::vector<TextSpan>> spans(std::in_place);
  if (file.input.labeled) spans = spans_of_record(document.root(), counters);
  if (!spans) return {};
  const JsonNode data = document["data"];
  const std::string& text = (data.is_there() ? data["text"] : document["text"]).text();
  find_bytes(text, *spans);

  const JsonNode id = document["id"];
  const bool named = id.is_there() && (id.is_text() || id.is_number());
  const auto name =
      named ? file.context.begin_document(id_of(id)) : file.context.begin_numbered_document(line);
  std::vector<SpannedSentence> sentences;
  for (Sentence& sentence : sentences_of(text, line, name, file.context)) {
    sentences.push_back({std::move(sentence)});
    sentences.back().labels.assign(sentences.back().sentence.size(), "O");
  }
  if (sentences.empty()) {
    Sentence& empty = sentences.emplace_back().sentence;
    empty.document = name;
    empty.set_line(line);
  }
  label_tokens(*spans, sentences, counters);
  return sentences;
}

}  // namespace elmo
