#include "cli/neighbors/report.h"

#include <algorithm>

#include "core/human.h"
#include "io/json/json.h"
#include "io/text/segment/utf8.h"

namespace elmo {
namespace {

// Maximum number of tokens shown on each side of a word.
constexpr std::size_t kAround = 9;

std::string around(const NeighborAnswer::Occurrence& found) {
  const Sentence& sentence = found.sentence;
  const std::size_t begin = found.token > kAround ? found.token - kAround : 0;
  const std::size_t end = std::min(sentence.size(), found.token + kAround + 1);
  std::string text = begin > 0 ? "… " : "";
  for (std::size_t token = begin; token < end; ++token) {
    if (token > begin) text += ' ';
    const std::string word(sentence.token(token));
    text += token == found.token ? '[' + word + ']' : word;
  }
  return text + (end < sentence.size() ? " …" : "");
}

}  // namespace

std::string neighbors_json(const BracketedQuery& query, const std::string& layer,
                           const NeighborAnswer& answer) {
  std::string json = R"({"query": )" +
                     json_text(bracketed_text(query.sentence, query.begin, query.end)) +
                     R"(, "word": )" + json_text(query.sentence.text(query.begin, query.end)) +
                     R"(, "layer": )" + json_text(layer) + R"(, "neighbors": [)";
  for (const NeighborAnswer::Occurrence& found : answer.occurrences) {
    if (&found != answer.occurrences.data()) json += ", ";
    json += R"({"similarity": )" + json_number(found.similarity) + R"(, "word": )" +
            json_text(found.word) + R"(, "file": )" + json_text(found.file) + R"(, "line": )" +
            json_number(found.line) + R"(, "sentence": )" +
            json_text(bracketed_text(found.sentence, found.token, found.token + 1)) + '}';
  }
  json += R"(], "without_context": )";
  if (!answer.words) return json + "null}\n";
  json += '[';
  for (const NeighborAnswer::Word& found : *answer.words) {
    if (&found != answer.words->data()) json += ", ";
    json += R"({"similarity": )" + json_number(found.similarity) + R"(, "word": )" +
            json_text(found.word) + '}';
  }
  return json + "]}\n";
}

std::string neighbors_text(const BracketedQuery& query, const NeighborAnswer& answer) {
  std::string text = bracketed_text(query.sentence, query.begin, query.end) + '\n';
  for (const NeighborAnswer::Occurrence& found : answer.occurrences) {
    text += formatted("  %.3f  ", static_cast<double>(found.similarity)) + around(found) + "  (" +
            found.file + ", line " + std::to_string(found.line) + ")\n";
  }
  if (!answer.words) return printable_text(text);
  text += "  without context:";
  for (const NeighborAnswer::Word& found : *answer.words) {
    text += (&found == answer.words->data() ? " " : ", ") + found.word +
            formatted(" %.3f", static_cast<double>(found.similarity));
  }
  return printable_text(text + '\n');
}

}  // namespace elmo
