// `elmo tokenize`: prints the tokens of a text.
#include "cli/common/options.h"

#include <memory>

#include "cli/command.h"
#include "cli/common/option_groups.h"
#include "cli/common/process.h"
#include "cli/common/reporter.h"
#include "io/engine/tokenize.h"

namespace elmo {
namespace {

ExitCode tokenize_and_report(const TokenizeRequest& request) {
  BufferedOutput output(standard_output());
  const TokenizeSummary summary = run_tokenize(request, output);
  RunReport report(request.quiet);
  note_input(report, summary.input);
  note_count(report, summary.empty_left_out, "empty sentence",
             "left out, because CoNLL-U has no sentences without tokens");
  note_count(report, summary.divided, "token",
             "with a space inside, which --input-format tokens would divide; --format jsonl keeps "
             "them whole");
  return kDone;
}

}  // namespace

void add_tokenize(const Options& app, Command& chosen) {
  const auto request = std::make_shared<TokenizeRequest>();
  Options command = app.add_subcommand(
      "tokenize", "Print the sentences and tokens of a text, one sentence per line");
  add_input_flags(command, request->input);
  command
      .add_option("--model", request->model.model,
                  "Model whose tokenizer is used: a folder, a zip archive or an installed model")
      .type_name("PATH")
      .default_str(kDefaultModel);
  add_choice(command, "--format", request->format, kTokenFormats,
             "Output format: `tokens`, separated by spaces; `jsonl`, with byte spans; or `conllu`, "
             "CoNLL-U with the text and SpaceAfter");
  command.add_flag("--quiet", request->quiet, "Print no warnings about repairs");
  run_if_chosen(command, request, tokenize_and_report, chosen);
}

}  // namespace elmo
