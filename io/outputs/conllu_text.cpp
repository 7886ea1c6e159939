#include "io/outputs/conllu_text.h"

#include <algorithm>
#include <string_view>

#include "io/text/segment/characters.h"

namespace elmo {
namespace {

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
std::string line_of(const std::string& id, const std::string& form, bool joined) {
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
    words += line_of(id, form, joined);
    for (; contracted && token < end; ++token) {
      words += line_of(std::to_string(token + 1), form_of(sentence.token(token)), false);
    }
    if (contracted) ++contraction;
    token = end;
  }
  return result + text + '\n' + words + '\n';
}

}  // namespace elmo
