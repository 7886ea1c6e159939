#include "io/engine/tokenize.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "io/model/model.h"
#include "io/model/tokenizer.h"
#include "io/outputs/conllu_text.h"
#include "io/outputs/stream_sinks.h"
#include "io/text/formats/line_reader.h"

namespace elmo {
namespace {

/// See TokenizeSummary::divided.
std::uint64_t count_divided(const Sentence& sentence) {
  std::uint64_t count = 0;
  for (std::size_t index = 0; index < sentence.size(); ++index) {
    const std::string_view token = sentence.token(index);
    count += token.empty() || std::ranges::any_of(token, is_token_separator) ? 1 : 0;
  }
  return count;
}

/// The tokens, separated by blanks. Line feeds in them become blanks: a sentence is a line.
std::string line_of(const Sentence& sentence) {
  std::string line = sentence.text();
  std::ranges::replace(line, '\n', ' ');
  return line + '\n';
}

void write_record(BufferedOutput& output, const Sentence& sentence, std::uint64_t number) {
  std::string record;
  append_sentence(record, sentence, number);
  append_spans(record, sentence);
  output.write(record + "}\n");
}

/// The tokenizer of the named model or of the default one; `ud` if the default one is not
/// installed.
TokenizerSettings tokenizer_of(const TokenizeRequest& request) {
  if (request.model.model.empty() && !default_model()) {
    return choose_tokenizer(request.input.request);
  }
  return choose_tokenizer(request.input.request, locate_model(request.model));
}

}  // namespace

TokenizeSummary run_tokenize(const TokenizeRequest& request, BufferedOutput& output) {
  InputOptions input = request.input;
  if (is_segmented(input.format)) input.tokenizer = tokenizer_of(request);
  const std::unique_ptr<TextSource> source = open_source(input);
  ConlluText conllu;
  Sentence sentence;
  TokenizeSummary summary;
  for (std::uint64_t number = 0; source->next(sentence); ++number) {
    switch (request.format) {
      case TokenFormat::tokens:
        output.write(line_of(sentence));
        summary.divided += count_divided(sentence);
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
  summary.input = source->counters();
  if (request.format == TokenFormat::conllu) {
    summary.empty_left_out = std::exchange(summary.input.empty_sentences, 0);
  }
  return summary;
}

}  // namespace elmo
