// Documents of coreference as columns of CoNLL-2011 and 2012.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "io/labeled/coref/coref_document.h"
#include "io/text/bytes/byte_window.h"
#include "io/text/formats/reading_context.h"
#include "io/text/formats/record_lines.h"

namespace elmo {

/// A token a line in columns separated by white space: document, part, number of the word, word, …,
/// clusters; a blank line after each sentence. The last column has `(12` where a mention of cluster
/// 12 begins, `12)` where it ends, `(12)` for both, several joined by `|`, or `-`. With at least 12
/// columns the tenth is the speaker, `-` for none; that of a sentence's first token is the
/// sentence's. `#begin document (NAME); part N` begins a document, NAME_N, and `#end document` ends
/// it; other lines that begin with # are passed over. What stands before the first / of a name is
/// the genre.
class CorefColumns final : public CorefReader {
 public:
  /// `window` and `context` outlive this. Else than `labeled`, clusters are not looked at.
  CorefColumns(ByteWindow& window, ReadingContext& context, bool labeled)
      : context_(context), labeled_(labeled), lines_(window) {}

  bool next(CorefDocument& document) override;

 private:
  // A mention that has begun.
  struct Open {
    std::int64_t begin = 0;
    std::uint64_t line = 0;
  };

  bool read_line();
  void begin_document(std::string_view name, std::string_view part);
  void read_token();
  void read_mentions(std::string_view column);
  void close(std::string_view cluster, std::int64_t begin);
  void check_closed() const;

  ReadingContext& context_;
  bool labeled_;
  RecordLines lines_;
  RepairedText line_;
  std::vector<std::string_view> columns_;  // of line_

  // The document that is being read, as far as it was.
  CorefDocument document_;
  std::shared_ptr<const Document> name_;
  std::size_t bytes_ = 0;
  std::int64_t tokens_ = 0;
  bool in_sentence_ = false;
  std::map<std::string, std::vector<Open>, std::less<>> open_;  // by cluster, innermost last
  std::map<std::string, std::size_t, std::less<>> clusters_;    // their places
  std::map<RowSpan, std::uint64_t> mentions_;                   // their lines
  bool begins_next_ = false;  // line_ begins the document after it
};

}  // namespace elmo
