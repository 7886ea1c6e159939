// `elmo tokenize`: prints the tokens of a text.
#include "cli/common/options.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "cli/command.h"
#include "cli/common/input_notes.h"
#include "cli/common/model_request.h"
#include "cli/common/option_groups.h"
#include "cli/common/process.h"
#include "cli/common/reporter.h"
#include "core/enum_table.h"
#include "io/model/model.h"
#include "io/model/tokenizer.h"
#include "io/sinks/conllu_text.h"
#include "io/sinks/stream_sinks.h"
#include "io/text/formats/line_reader.h"

namespace elmo {
namespace {

enum class TokenFormat { tokens, jsonl, conllu };

constexpr auto kTokenFormats = enum_table<TokenFormat>({{"tokens", TokenFormat::tokens},
                                                        {"jsonl", TokenFormat::jsonl},
                                                        {"conllu", TokenFormat::conllu}});

struct TokenizeFlags {
  InputOptions input;
  ModelRequest model;  ///< use its tokenizer
  TokenFormat format = TokenFormat::tokens;
  bool quiet = false;
};

void write_tokens(BufferedOutput& output, const Sentence& sentence) {
  for (std::size_t index = 0; index < sentence.size(); ++index) {
    if (index > 0) output.write(" ");
    output.write(sentence.token(index));
  }
  output.write("\n");
}

/// Number of tokens that a reader of the format `tokens` would read as several tokens, or as none.
std::uint64_t count_divided(const Sentence& sentence) {
  std::uint64_t count = 0;
  for (std::size_t index = 0; index < sentence.size(); ++index) {
    const std::string_view token = sentence.token(index);
    count += std::ranges::any_of(token, is_token_separator) ? 1 : 0;
  }
  return count;
}

void write_record(BufferedOutput& output, const Sentence& sentence, std::uint64_t number) {
  std::string record;
  append_sentence(record, sentence, number);
  append_spans(record, sentence);
  output.write(record + "}\n");
}

/// The tokenizer of the named model or of the default one; `ud` if the default one is not
/// installed.
TokenizerSettings tokenizer_of(const TokenizeFlags& flags) {
  const ModelRequest& model = flags.model;
  if (model.model.empty() && model.options.empty() && !default_model()) {
    return choose_tokenizer(flags.input.request);
  }
  return choose_tokenizer(flags.input.request, locate_model(model));
}

ExitCode run_tokenize(const TokenizeFlags& flags) {
  InputOptions input = flags.input;
  if (is_segmented(input.format)) input.tokenizer = tokenizer_of(flags);
  const std::unique_ptr<TextSource> source = open_source(input);
  ConlluText conllu;
  BufferedOutput output;
  Sentence sentence;
  std::uint64_t divided = 0;
  for (std::uint64_t number = 0; source->next(sentence); ++number) {
    switch (flags.format) {
      case TokenFormat::tokens:
        write_tokens(output, sentence);
        divided += count_divided(sentence);
        break;
      case TokenFormat::jsonl:
        write_record(output, sentence, number);
        break;
      case TokenFormat::conllu:
        output.write(conllu.text_of(sentence));
        break;
    }
    if (!source->wait(std::chrono::microseconds(0))) output.flush();
  }
  output.flush();
  RunReport report(flags.quiet);
  note_input(report, source->counters());
  note_count(report, divided, "token",
             "with a space inside, which --input-format tokens would divide; --format jsonl keeps "
             "them whole");
  return kDone;
}

}  // namespace

void add_tokenize(Options& app, Command& chosen) {
  const auto flags = std::make_shared<TokenizeFlags>();
  Options command = app.add_subcommand(
      "tokenize", "Print the sentences and tokens of a text, one sentence per line");
  add_input_flags(command, flags->input);
  add_model_flags(command, flags->model);
  add_choice(command, "--format", flags->format, kTokenFormats,
             "Output format: `tokens`, separated by spaces; `jsonl`, with byte spans; or `conllu`, "
             "CoNLL-U with the text and SpaceAfter");
  command->add_flag("--quiet", flags->quiet, "Print no warnings about repairs");
  command->callback([command, flags, &chosen] {
    check_input_flags(*command, flags->input);
    chosen = [flags] { return run_tokenize(*flags); };
  });
}

}  // namespace elmo
