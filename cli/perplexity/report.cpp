#include "cli/perplexity/report.h"

#include "core/inference/sentence.h"
#include "core/text.h"
#include "io/engine/listener.h"
#include "io/json/json.h"
#include "io/outputs/stream_sinks.h"

namespace elmo {
namespace {

constexpr int kDigits = 6;  // digits of a perplexity for people

}  // namespace

void PerplexityReport::note(const Message& line) {
  output_.flush();
  RunReport::note(line);
}

void PerplexityReport::progressed(const RunProgress& progress, double first_fraction) {
  output_.flush();
  RunReport::progressed(progress, first_fraction);
}

void PerplexityReport::ended(const PerplexitySummary& summary) {
  output_.flush();
  note_count(*this, summary.result.truncated, "token", "longer than the model reads, truncated");
  note_count(
      *this, summary.cut_sentences, "sentence",
      "of more than " + human_count(kDefaultMaxSentenceTokens, "token") + ", cut into pieces");
  note_input(*this, summary.input);
  note(human_time(summary.time) + ", " +
       human_rate(static_cast<double>(summary.result.tokens), summary.time, "tokens"));
}

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
       {"vocabulary", summary.vocabulary}});
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
                  " %), not among the " + human_count(summary.vocabulary, "word") +
                  " of the vocabulary, predicted as <UNK>");
  return lines;
}

std::string prediction_json(const SentencePrediction& prediction, std::int64_t unknown_row) {
  const Sentence& sentence = prediction.sentence;
  std::string json;
  append_sentence(json, sentence, prediction.number);
  std::string unknown;
  for (std::size_t token = 0; token < sentence.size(); ++token) {
    if (prediction.targets[token] != unknown_row) continue;
    unknown += (unknown.empty() ? "" : ", ") + std::to_string(token);
  }
  return json + R"(, "unknown": [)" + unknown + R"(], "forward": [null, )" +
         joined(prediction.forward, ", ", json_number<double>) + R"(], "backward": [)" +
         joined(prediction.backward, ", ", json_number<double>) + ", null]}\n";
}

}  // namespace elmo
