#include "io/sinks/json_text.h"

#include <nlohmann/json.hpp>

namespace elmo {

std::string json_text(std::string_view text) {
  using Json = nlohmann::json;
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

void append_place(std::string& json, const Sentence& sentence, std::uint64_t number) {
  json += R"({"document": )";
  json += json_text(sentence.document->id);
  json += R"(, "sentence": )";
  json += std::to_string(number);
  json += R"(, "line": )";
  json += std::to_string(sentence.line);
}

void append_tokens(std::string& json, const Sentence& sentence, std::string_view name) {
  json.append(R"(, ")").append(name).append(R"(": [)");
  for (std::size_t token = 0; token < sentence.size(); ++token) {
    if (token > 0) json += ", ";
    json += json_text(sentence.token(token));
  }
  json += ']';
}

void append_spans(std::string& json, const Sentence& sentence, std::string_view name) {
  json.append(R"(, ")").append(name).append(R"(": [)");
  for (std::size_t token = 0; token < sentence.size(); ++token) {
    const ByteSpan& span = sentence.spans()[token];
    json += token == 0 ? "[" : ", [";
    json += std::to_string(span.begin);
    json += ", ";
    json += std::to_string(span.end);
    json += ']';
  }
  json += ']';
}

void append_sentence(std::string& json, const Sentence& sentence, std::uint64_t number) {
  append_place(json, sentence, number);
  append_tokens(json, sentence);
}

}  // namespace elmo
