// Vertical files of corpus tools (Corpus Workbench, Sketch Engine): a token a line, its columns
// separated by tabs, and tags on lines of their own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "io/text/bytes/byte_stream.h"
#include "io/text/formats/format_reader.h"

namespace elmo {

/// True for names of vertical files, without an extension of compression: .vert and .vrt.
bool is_name_of_vertical(std::string_view name);

/// True if a text begins with tags on lines of their own, and lines of columns or of single words
/// follow.
bool begins_with_vertical(std::string_view head);

/// Reads the column FormatOptions::word_column of each line that is not a tag, with its entities
/// decoded (`&lt;`, `&gt;`, `&amp;`, `&quot;`, `&apos;` and numbers of characters); spans are those
/// of the text as it is. A sentence ends at `<s>`, `</s>`, the tags of paragraphs (`<p>`) and of
/// documents, and the end of the file; `<s>` and `</s>` without a token between them are a sentence
/// of zero tokens, and so is a file without any token. `<doc>` and `<text>` begin a document, named
/// by their `id`, or else after the file, as are tokens before the first one; without a token
/// between them they begin one document. Other tags, comments, and blank lines are skipped. Tags
/// need not nest. A sentence of more than kMaxSentenceBytes is cut. InputError, naming the line,
/// for a missing column, an empty word, a word with a NUL, and a line of more than kMaxRecordBytes.
class VerticalReader : public FormatReader {
 public:
  explicit VerticalReader(const TextInput& input);

  bool next(Sentence& sentence) override;

 private:
  bool read_line();
  bool read_tag(std::string_view name);
  bool read_word();
  void begin_document();
  void take(Sentence& sentence);
  [[noreturn]] void fail(const std::string& found, const std::string& expected) const;

  RecordLines lines_;
  RepairedText line_;
  bool has_line_ = false;                    // the current line has not been read
  std::optional<std::string> new_document_;  // id of the document that the next token begins
  bool is_open_ = false;                     // after <s>, before its first token
  Sentence words_;                           // the current sentence
};

}  // namespace elmo
