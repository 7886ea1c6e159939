#include "io/outputs/conllu_text.h"

#include <algorithm>
#include <string_view>

namespace elmo {
namespace {

/// Replaces each of `bytes`, which would end a comment or a column, by a blank.
std::string without(std::string_view bytes, std::string_view text) {
  std::string result(text);
  std::ranges::replace_if(
      result, [&](char byte) { return bytes.find(byte) != std::string_view::npos; }, ' ');
  return result;
}

constexpr std::string_view kLineBreaks = "\n\r";
constexpr std::string_view kColumnBreaks = "\n\r\t";

/// The FORM of a token: `_` if it is empty or white space, which CoNLL-U does not allow.
std::string form_of(std::string_view token) {
  const std::string form = without(kColumnBreaks, token);
  return form.find_first_not_of(' ') == std::string::npos ? "_" : form;
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
  for (std::size_t token = 0; token < sentence.size(); ++token) {
    const bool last = token + 1 == sentence.size();
    const bool joined = !last && sentence.spans()[token].end == sentence.spans()[token + 1].begin;
    text += without(kColumnBreaks, sentence.token(token));
    if (!joined && !last) text += ' ';
    words += std::to_string(token + 1) + '\t';
    words += form_of(sentence.token(token));
    words += "\t_\t_\t_\t_\t_\t_\t_\t";
    words += joined ? "SpaceAfter=No\n" : "_\n";
  }
  return result + text + '\n' + words + '\n';
}

}  // namespace elmo
