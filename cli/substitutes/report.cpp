#include "cli/substitutes/report.h"

#include <utility>
#include <vector>

#include "core/text.h"
#include "io/engine/query.h"
#include "io/json/json.h"

namespace elmo {
namespace {

using SubstituteList = std::pair<const char*, const std::vector<SubstituteWord>&>;

std::vector<SubstituteList> lists_of(const SubstituteAnswer& answer) {
  return {{"forward", answer.forward}, {"backward", answer.backward}, {"both", answer.both}};
}

}  // namespace

std::string substitutes_json(const SubstituteAnswer& answer) {
  std::string json =
      "{\"document\": " + json_text(answer.document) +
      ", \"line\": " + std::to_string(answer.line) +
      ", \"token\": " + std::to_string(answer.begin) +
      ", \"word\": " + json_text(answer.sentence.text(answer.begin, answer.end)) +
      ", \"query\": " + json_text(bracketed_text(answer.sentence, answer.begin, answer.end));
  for (const auto& [name, words] : lists_of(answer)) {
    json += std::string(", \"") + name + "\": [" +
            joined(words, ", ",
                   [](const SubstituteWord& each) {
                     return "{\"word\": " + json_text(each.word) + ", \"log_probability\": " +
                            json_number(static_cast<float>(each.log_probability)) + '}';
                   }) +
            ']';
  }
  return json + "}\n";
}

std::string substitutes_text(const SubstituteAnswer& answer) {
  std::string text = bracketed_text(answer.sentence, answer.begin, answer.end) + '\n';
  for (const auto& [name, words] : lists_of(answer)) {
    text += formatted("  %-10s", name) +
            joined(words, ", ",
                   [](const SubstituteWord& each) {
                     return each.word + formatted(" %.2f", each.log_probability);
                   }) +
            '\n';
  }
  return printable_text(text);
}

}  // namespace elmo
