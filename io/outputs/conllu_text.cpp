#include "io/outputs/conllu_text.h"

#include <algorithm>

namespace elmo {
namespace {

/// Replaces line breaks in a document's id, which would end the comment.
std::string in_one_line(std::string text) {
  std::ranges::replace_if(
      text, [](char byte) { return byte == '\n' || byte == '\r'; }, ' ');
  return text;
}

}  // namespace

std::string ConlluText::text_of(const Sentence& sentence) {
  paragraph_begins_ = paragraph_begins_ || sentence.begins_paragraph;
  if (sentence.size() == 0) return "";
  std::string result;
  if (sentence.document != document_) {
    document_ = sentence.document;
    result += "# newdoc id = " + in_one_line(document_->id) + '\n';
  }
  if (paragraph_begins_) result += "# newpar\n";
  paragraph_begins_ = false;
  result += "# sent_id = " + std::to_string(++sentences_) + '\n';

  std::string text = "# text = ";
  std::string words;
  for (std::size_t token = 0; token < sentence.size(); ++token) {
    const bool last = token + 1 == sentence.size();
    const bool joined = !last && sentence.spans()[token].end == sentence.spans()[token + 1].begin;
    text += sentence.token(token);
    if (!joined && !last) text += ' ';
    words += std::to_string(token + 1) + '\t';
    words += sentence.token(token);
    words += "\t_\t_\t_\t_\t_\t_\t_\t";
    words += joined ? "SpaceAfter=No\n" : "_\n";
  }
  return result + text + '\n' + words + '\n';
}

}  // namespace elmo
