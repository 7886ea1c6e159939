#include "cli/perplexity/report.h"

#include <cstdint>

#include "cli/common/reporter.h"
#include "core/text.h"
#include "io/json/json.h"

namespace elmo {
namespace {

constexpr int kDigits = 6;  // digits of a perplexity for people

}  // namespace

std::string perplexity_json(const PerplexitySummary& summary) {
  const PerplexityResult& result = summary.result;
  const Perplexity all = result.perplexity();
  const Perplexity known = result.known_perplexity();
  return json_document(
      {{"forward", all.forward},
       {"backward", all.backward},
       {"average", all.average},
       {"without_unknown",
        {{"forward", known.forward}, {"backward", known.backward}, {"average", known.average}}},
       {"log_probability",
        {{"forward", result.log_probability[0].all}, {"backward", result.log_probability[1].all}}},
       {"predictions", result.predictions()},
       {"sentences", result.sentences},
       {"tokens", result.tokens},
       {"unknown_tokens", result.unknown},
       {"vocabulary", summary.text.vocabulary}});
}

std::vector<std::string> perplexity_lines(const PerplexitySummary& summary) {
  const PerplexityResult& result = summary.result;
  const auto line = [](const std::string& name, const Perplexity& figures) {
    return name + "forward " + human_number(figures.forward, kDigits) + ", backward " +
           human_number(figures.backward, kDigits) + ", average " +
           human_number(figures.average, kDigits);
  };
  std::vector<std::string> lines{line("perplexity: ", result.perplexity())};
  if (result.unknown > 0) {
    lines.push_back(line("without unknown tokens: ", result.known_perplexity()));
  }
  lines.push_back(human_count(result.predictions()) +
                  " predictions in each direction: " + human_count(result.tokens, "token") +
                  " and the end of " + human_count(result.sentences, "sentence"));
  const double percent =
      100.0 * static_cast<double>(result.unknown) / static_cast<double>(result.tokens);
  lines.push_back(human_count(result.unknown, "unknown token") + " (" + human_number(percent, 3) +
                  " %), not among the " + human_count(summary.text.vocabulary, "word") +
                  " of the vocabulary, predicted as <UNK>");
  return lines;
}

}  // namespace elmo
