#include "io/sinks/sentence_json.h"

#include "io/json/json_text.h"

namespace elmo {

void append_place(std::string& json, std::string_view document, std::uint64_t number,
                  std::uint64_t line) {
  json += R"({"document": )";
  json += json_text(document);
  json += R"(, "sentence": )";
  json += std::to_string(number);
  json += R"(, "line": )";
  json += std::to_string(line);
}

void append_tokens(std::string& json, const Sentence& sentence, std::string_view name) {
  json.append(R"(, ")").append(name).append(R"(": [)");
  for (std::size_t kept = 0; kept < sentence.kept_count(); ++kept) {
    if (kept > 0) json += ", ";
    json += json_text(sentence.token(sentence.kept_token(kept)));
  }
  json += ']';
}

void append_spans(std::string& json, const Sentence& sentence, std::string_view name) {
  json.append(R"(, ")").append(name).append(R"(": [)");
  for (std::size_t kept = 0; kept < sentence.kept_count(); ++kept) {
    const ByteSpan& span = sentence.spans()[sentence.kept_token(kept)];
    json += kept == 0 ? "[" : ", [";
    json += std::to_string(span.begin);
    json += ", ";
    json += std::to_string(span.end);
    json += ']';
  }
  json += ']';
}

void append_positions(std::string& json, const Sentence& sentence) {
  json += R"(, "positions": [)";
  for (std::size_t kept = 0; kept < sentence.kept_count(); ++kept) {
    if (kept > 0) json += ", ";
    json += std::to_string(sentence.kept_token(kept));
  }
  json += ']';
}

void append_sentence(std::string& json, const Sentence& sentence, std::uint64_t number) {
  append_place(json, sentence.document->id, number, sentence.line);
  append_tokens(json, sentence);
}

}  // namespace elmo
