#include "io/engine/tokenize.h"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

#include "io/model/model.h"
#include "io/model/tokenizer.h"
#include "io/outputs/stream_sinks.h"
#include "io/text/formats/readers.h"
#include "io/text/segment/characters.h"

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
  if (request.model.model.empty() && !installed_model(kDefaultModel)) {
    return choose_tokenizer(request.input.request);
  }
  return choose_tokenizer(request.input.request, locate_model(request.model));
}

/// Replaces each of `bytes` by a blank. They would end a comment or a column.
std::string without(std::string_view bytes, std::string_view text) {
  std::string result(text);
  std::ranges::replace_if(
      result, [&](char byte) { return bytes.find(byte) != std::string_view::npos; }, ' ');
  return result;
}

constexpr std::string_view kLineBreaks = "\n\r";
constexpr std::string_view kColumnBreaks = "\n\r\t";

/// The token as a FORM, without outer white space; `_` if nothing is left.
std::string form_of(std::string_view token) {
  const std::string form = without(kColumnBreaks, without_outer_white_space(token));
  return form.empty() ? "_" : form;
}

/// The line of a word, or of a range of words. `joined`: the next begins without white space.
std::string conllu_line(const std::string& id, const std::string& form, bool joined) {
  return id + '\t' + form + "\t_\t_\t_\t_\t_\t_\t_\t" + (joined ? "SpaceAfter=No\n" : "_\n");
}

}  // namespace

std::string ConlluText::text_of(const Sentence& sentence) {
  paragraph_begins_ = paragraph_begins_ || sentence.begins_paragraph;
  if (sentence.size() == 0) return "";
  std::string result;
  if (sentence.document != document_) {
    document_ = sentence.document;
    result += "# newdoc id = " + without(kLineBreaks, document_->id) + '\n';
  }
  if (paragraph_begins_) result += "# newpar\n";
  paragraph_begins_ = false;
  result += "# sent_id = " + std::to_string(++sentences_) + '\n';

  std::string text = "# text = ";
  std::string words;
  auto contraction = sentence.contractions().begin();
  for (std::size_t token = 0; token < sentence.size();) {
    const bool contracted =
        contraction != sentence.contractions().end() && contraction->begin == token;
    const std::size_t end = contracted ? contraction->end : token + 1;
    const bool last = end == sentence.size();
    const bool joined = !last && sentence.spans()[token].end == sentence.spans()[end].begin;
    const std::string form =
        form_of(contracted ? std::string_view(contraction->text) : sentence.token(token));
    text += form;
    if (!joined && !last) text += ' ';
    std::string id = std::to_string(token + 1);
    if (contracted) id += '-' + std::to_string(end);
    words += conllu_line(id, form, joined);
    for (; contracted && token < end; ++token) {
      words += conllu_line(std::to_string(token + 1), form_of(sentence.token(token)), false);
    }
    if (contracted) ++contraction;
    token = end;
  }
  return result + text + '\n' + words + '\n';
}

TokenizeSummary run_tokenize(const TokenizeRequest& request, BufferedOutput& output) {
  InputOptions input = request.input;
  if (is_segmented(input.format)) input.tokenizer = tokenizer_of(request);
  if (input.request.normalization) {
    input.tokenizer.token_normalization = *input.request.normalization;
  }
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
