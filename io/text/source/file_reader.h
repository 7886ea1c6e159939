// One file as a source of sentences.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "io/text/bytes/byte_window.h"
#include "io/text/bytes/stored_bytes.h"
#include "io/text/formats/format_reader.h"

namespace elmo {

/// The sentences of a file or of a stretch of one, in the format that the context says. A file
/// without any text has none, but is counted and, where documents are files, a document. A text
/// without any token has one sentence without tokens. One thread at a time.
class FileReader {
 public:
  /// Reads from `begin` on, which is in the stretch; what is before it was read by somebody else.
  /// `bytes`, if given, are those of the whole stretch, which else is opened. `context`, `waiting`
  /// and `stored_bytes`, which grows by what is read, outlive this. Errors as open_file.
  FileReader(FileStretch stretch, const UnitBegin& begin, std::unique_ptr<ByteSource> bytes,
             ReadingContext& context, const Waiting& waiting,
             std::atomic<std::uint64_t>& stored_bytes);

  /// As FormatReader::next.
  bool next(Sentence& sentence);

  /// What is read next, at least `size` bytes where the file has as many. Before anything is read.
  std::string_view peek(std::size_t size) {
    window_.fill(size);
    return window_.view();
  }

  /// What the sentence read last begins, if anything: the stretch or, where the file is not
  /// compressed, a unit of it. Reading can start again there.
  const UnitBegin* unit() const { return is_first_ ? &first_unit_ : reader_->unit(); }

  /// Whether the file is compressed; it is looked at once.
  bool is_compressed();

  std::uint64_t bytes_read() const { return window_.bytes_read(); }  ///< decompressed
  std::uint64_t line_feeds() const { return line_feeds_; }           ///< of a stretch, so far
  const FileStretch& stretch() const { return stretch_; }

 private:
  std::unique_ptr<ByteSource> open(std::unique_ptr<ByteSource> bytes, std::uint64_t begin);
  bool begin_text();
  bool is_blank_to_its_end();

  FileStretch stretch_;
  ReadingContext& context_;
  const Waiting& waiting_;
  std::atomic<std::uint64_t>& stored_bytes_;
  std::uint64_t first_line_;
  std::uint64_t line_feeds_;
  ByteWindow window_;
  UnitBegin first_unit_;
  bool any_sentence_;                         // was handed out, by whomever
  bool is_first_ = false;                     // the sentence read last
  std::optional<bool> compressed_;            // where that was asked
  std::shared_ptr<const Document> document_;  // where the file is one
  std::unique_ptr<FormatReader> reader_;
};

}  // namespace elmo
