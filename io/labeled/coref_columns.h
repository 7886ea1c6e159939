// Coreference documents as columns of CoNLL-2011 and CoNLL-2012.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "io/labeled/coref_records.h"
#include "io/text/bytes/byte_stream.h"
#include "io/text/formats/format_reader.h"

namespace elmo {

/// One token per line, in columns separated by white space: document, part, number of the word,
/// word, …, clusters. A blank line follows each sentence. The last column has `(12` where a mention
/// of cluster 12 begins, `12)` where it ends, `(12)` for both, several joined by `|`, or `-`. With
/// at least 12 columns, the tenth is the speaker, `-` for none; the speaker of a sentence's first
/// token counts for the sentence. `#begin document (NAME); part N` begins a document, NAME_N, and
/// `#end document` ends it. Other lines that begin with # are skipped. The part of a name before
/// the first / is the genre.
class CorefColumns final : public CorefReader {
 public:
  /// `window` and `context` must outlive this object. If not `labeled`, clusters are ignored.
  CorefColumns(ByteWindow& window, ReadingContext& context, bool labeled)
      : context_(context), labeled_(labeled), lines_(window) {}

  bool next(CorefDocument& document) override;

 private:
  // A mention that has begun but not ended.
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

  // The current document, as far as it was read.
  CorefDocument document_;
  std::shared_ptr<const Document> name_;
  std::size_t bytes_ = 0;
  std::int64_t tokens_ = 0;
  bool in_sentence_ = false;
  std::map<std::string, std::vector<Open>, std::less<>> open_;  // by cluster, innermost last
  std::map<std::string, std::size_t, std::less<>> clusters_;    // index in document_
  std::map<RowSpan, std::uint64_t> mentions_;                   // line of each mention
  bool begins_next_ = false;                                    // line_ begins the next document
};

}  // namespace elmo
