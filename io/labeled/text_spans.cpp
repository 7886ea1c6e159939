#include "io/labeled/text_spans.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/text.h"
#include "io/json/json_document.h"
#include "io/text/formats/free_text_reader.h"
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

TextSpan text_span_of(const JsonNode& node) {
  TextSpan span;
  if (node.is_array()) {
    const std::vector<JsonNode> members = node.elements();
    if (members.size() != 3) node.refuse("[begin, end, label]");
    span.begin = members[0].count();
    span.end = members[1].count();
    span.label = members[2].text();
  } else {
    const JsonNode labels = node["labels"];
    span.begin = first_present(node, {"start", "start_offset"}).count();
    span.end = first_present(node, {"end", "end_offset"}).count();
    if (!labels.is_there()) {
      span.label = node["label"].text();
    } else if (labels.texts().size() == 1) {
      span.label = labels.texts().front();
    } else {
      labels.refuse("one label");
    }
    if (const JsonNode text = node["text"]; text.is_there()) span.text = text.text();
  }
  check_label(span.label);
  return span;
}

/// Adds the spans of an annotation by Label Studio.
void add_results(const JsonNode& annotation, std::vector<TextSpan>& spans) {
  for (const JsonNode& result : annotation["result"].elements("an array of spans")) {
    const JsonNode type = result["type"];
    if (type.is_there() && type.text() != "labels") continue;  // a relation or a choice
    spans.push_back(text_span_of(result["value"]));
  }
}

/// Returns the spans in the order of their beginnings; nothing if the record is no example.
std::optional<std::vector<TextSpan>> spans_of_record(const JsonNode& record) {
  std::vector<TextSpan> spans;
  if (const JsonNode annotations = record["annotations"]; annotations.is_there()) {
    const std::vector<JsonNode> all = annotations.elements("an array of annotations");
    const auto counts = std::ranges::find_if(all, [](const JsonNode& annotation) {
      const JsonNode canceled = annotation["was_cancelled"];
      return !canceled.is_there() || !canceled.flag();
    });
    if (counts == all.end()) return std::nullopt;
    add_results(*counts, spans);
  } else {
    const JsonNode answer = record["answer"];
    if (answer.is_there() && answer.text() != "accept") return std::nullopt;
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
  std::uint64_t character = 0;
  std::size_t byte = 0;
  const auto go_to = [&](std::uint64_t target) {
    for (; character < target && byte < text.size(); ++character) next_code_point(text, byte);
    return character == target;
  };
  for (TextSpan& span : spans) {
    if (span.begin < character) {
      throw InputError("found " + span.name() +
                       ", which overlaps the one before it; expected separate spans");
    }
    const bool begins = go_to(span.begin);
    span.bytes.begin = byte;
    if (span.end <= span.begin || !begins || !go_to(span.end)) {
      throw InputError("found " + span.name() +
                       "; expected an end after the beginning, and both within the text");
    }
    span.bytes.end = byte;
    const std::string_view found = text.substr(span.bytes.begin, byte - span.bytes.begin);
    if (span.text && *span.text != found) {
      throw InputError("found " + span.name() + " with the text '" + excerpt(*span.text) +
                       "'; expected '" + excerpt(found) + "', which is there");
    }
  }
}

/// Labels the tokens that sorted spans overlap.
void label_tokens(const std::vector<TextSpan>& spans, std::vector<SpannedSentence>& sentences,
                  FittedSpans& fitted) {
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
    if (widened) ++fitted.widened;
    if (parts > 1) ++fitted.divided;
  }
}

}  // namespace

std::vector<SpannedSentence> read_spanned_text(OpenedFile& file, std::string_view json,
                                               std::uint64_t line, FittedSpans& fitted) {
  const JsonDocument document(json, "", "a text with labeled spans");
  std::optional<std::vector<TextSpan>> spans(std::in_place);
  if (file.input.labeled) spans = spans_of_record(document.root());
  if (!spans) return {};
  const JsonNode data = document["data"];
  const std::string& text = (data.is_there() ? data["text"] : document["text"]).text();
  find_bytes(text, *spans);

  const JsonNode id = document["id"];
  const bool named = id.is_there() && (id.is_text() || id.is_number());
  const auto name =
      named ? file.context.begin_document(id_of(id)) : file.context.begin_numbered_document(line);
  std::vector<SpannedSentence> sentences;
  ByteWindow window{std::string_view(text)};
  const auto reader = make_raw_text_reader({window, name->id, file.context, name});
  for (Sentence sentence; reader->next(sentence); sentence = {}) {
    sentence.set_line(line);
    std::vector<std::string> labels(sentence.size(), "O");
    sentences.push_back({std::move(sentence), std::move(labels)});
  }
  if (sentences.empty()) {
    Sentence empty;
    empty.document = name;
    empty.set_line(line);
    sentences.push_back({std::move(empty), {}});
  }
  label_tokens(*spans, sentences, fitted);
  return sentences;
}

}  // namespace elmo
