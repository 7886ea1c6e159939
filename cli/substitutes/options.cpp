// `elmo substitutes`: the words that a model expects in the place of a word.
#include "cli/common/options.h"

#include <unistd.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/common/option_groups.h"
#include "cli/common/process.h"
#include "cli/common/rules.h"
#include "core/enum_table.h"
#include "core/error.h"
#include "core/text.h"
#include "io/engine/query.h"
#include "io/engine/word_prediction/substitutes.h"
#include "io/json/json.h"

namespace elmo {
namespace {

using SubstituteList = std::pair<const char*, const std::vector<SubstituteWord>&>;

std::vector<SubstituteList> lists_of(const SubstituteAnswer& answer) {
  return {{"forward", answer.forward}, {"backward", answer.backward}, {"both", answer.both}};
}

/// One line of JSON: {"document", "line", "token", "word", "query", "forward": [{"word",
/// "log_probability"}], "backward", "both"}. The query has the word in [brackets].
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

/// The same for people: the query, then a line per list.
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

/// Returns whether the output is JSON Lines.
constexpr auto kSubstituteFormats = enum_table<bool>({{"jsonl", true}, {"table", false}});
constexpr auto kSentenceFormats =
    kInputFormats.only<InputFormat::text, InputFormat::tokens, InputFormat::jsonl>();
constexpr std::size_t kMaxSubstitutes = 100000;

struct SubstituteFlags : Flags<SubstituteRequest> {
  std::optional<bool> jsonl;  ///< nothing: a table on a terminal
};

ExitCode find_and_report(const SubstituteFlags& flags) {
  const SubstituteRequest& request = flags.request;
  check_tokenizer_flags(flags.given, request.format);
  if (request.format == InputFormat::jsonl && !request.sentence.empty()) {
    throw RequestError(
        "--input-format jsonl: found a sentence as argument; expected records on standard input");
  }
  const bool json = flags.jsonl.value_or(isatty(STDOUT_FILENO) == 0);
  BufferedOutput output(standard_output());
  run_substitutes(request, [&](const std::vector<SubstituteAnswer>& answers) {
    for (const SubstituteAnswer& answer : answers) {
      output.write(json ? substitutes_json(answer) : substitutes_text(answer));
    }
    output.flush();
  });
  return kDone;
}

}  // namespace

void add_substitutes(const Options& app, Command& chosen) {
  const auto flags = std::make_shared<SubstituteFlags>();
  SubstituteRequest& request = flags->request;
  Options command =
      app.add_subcommand("substitutes", "Find the words that a model expects in place of a word");
  command.add_argument("SENTENCE", request.sentence,
                       "Sentence with one word in [brackets]; without one, standard input has one "
                       "sentence per line");
  add_whole(command, "-k,--count", request.count, "N", std::size_t{1}, kMaxSubstitutes,
            "Number of substitutes per list");
  command.add_flag("--all", request.all,
                   "Find substitutes of each word of a sentence, which has no brackets");
  add_choice(command, "--format", flags->jsonl, kSubstituteFormats,
             "Output format: `jsonl`, a JSON object per word, or `table`")
      .default_str("table on a terminal, otherwise jsonl");
  add_predicting_model(command, request.model.model);
  const Options input = command.in_group("Input");
  add_choice(input, "--input-format", request.format, kSentenceFormats,
             "Format of a line: `text`, raw UTF-8; `tokens`, separated by blanks; `jsonl`, a JSON "
             "record with `text` and, if it has one, an `id`");
  add_tokenizer_flags(input, request.tokenizer);
  add_choice(command, "--precision", request.precision, kPrecisions,
             "Precision of the biLM's arithmetic (products); the softmax uses float32");
  add_threads(command, request.threads);
  command.footer(
      "`forward` lists the words that the model expects after those on the left, `backward` before "
      "those on the right. `both` multiplies their probabilities and normalizes them over the "
      "vocabulary (Amrami and Goldberg 2018). Log probabilities are natural logarithms. The word "
      "itself may be among its substitutes. `<S>`, `</S>` and `<UNK>` are not.");
  run_if_chosen(command, flags, find_and_report, chosen);
}

}  // namespace elmo
