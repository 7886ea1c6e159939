// `elmo tokenize`: prints the tokens of a text.
#include "cli/common/options.h"

#include <memory>

#include "cli/command.h"
#include "cli/common/option_groups.h"
#include "cli/common/process.h"
#include "cli/common/reporter.h"
#include "cli/common/rules.h"
#include "io/engine/tokenize.h"

namespace elmo {
namespace {

using TokenizeFlags = Flags<TokenizeRequest>;

ExitCode tokenize_and_report(const TokenizeFlags& flags) {
  const TokenizeRequest& request = flags.request;
  check_input_flags(flags.given, request.input, false);
  check_segmentation_flag(flags.given, "--model", request.input.format);
  BufferedOutput output(standard_output());
  const TokenizeSummary summary = run_tokenize(request, output);
  RunReport report(flags.quiet);
  note_input(report, summary.input);
  note_count(report, summary.empty_left_out, "empty sentence",
             "left out, because CoNLL-U has no sentences without tokens");
  note_count(
      report, summary.divided, "token",
      "with a space inside or empty, which --input-format tokens would divide or lose; --format "
      "jsonl keeps them whole");
  return kDone;
}

}  // namespace

void add_tokenize(const Options& app, Command& chosen) {
  const auto flags = std::make_shared<TokenizeFlags>();
  TokenizeRequest& request = flags->request;
  Options command = app.add_subcommand(
      "tokenize", "Print the sentences and tokens of a text, one sentence per line");
  add_input_flags(command, request.input);
  command
      .add_option("--model", request.model.model, "PATH",
                  "Model whose tokenizer is used: a folder, a zip archive or an installed model")
      .default_str(kDefaultModel);
  add_choice(command, "--format", request.format, kTokenFormats,
             "Output format: `tokens`, separated by spaces; `jsonl`, with byte spans; or `conllu`, "
             "CoNLL-U with the text and SpaceAfter");
  command.add_flag("--quiet", flags->quiet, "Print no warnings about repairs");
  command.footer(
      "`elmo embed --input-format tokens --tokenizer NAME` reads the tokens as those of that "
      "tokenizer.");
  run_if_chosen(command, flags, tokenize_and_report, chosen);
}

}  // namespace elmo
