// A file as a source of sentences.
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

/// The sentences of a file, or of a stretch of one, in the format of the context. A file without
/// any text has no sentence, but is counted and, if documents are files, is a document. A text
/// without any token has one sentence without tokens. One thread at a time.
class FileReader {
 public:
  /// Reads from `begin`, which is in the stretch; another reader has read the text before it.
  /// `bytes`, if given, are those of the whole stretch; otherwise the file is opened. `context`,
  /// `waiting` and `stored_bytes`, which grows by the bytes read, must outlive this object. Errors
  /// as open_file.
  FileReader(FileStretch stretch, const UnitBegin& begin, std::unique_ptr<ByteSource> bytes,
             ReadingContext& context, const Waiting& waiting,
             std::atomic<std::uint64_t>& stored_bytes);

  /// As FormatReader::next.
  bool next(Sentence& sentence);

  /// Returns the next text, at least `size` bytes unless the file has fewer. Call it before
  /// reading.
  std::string_view peek(std::size_t size) {
    window_.fill(size);
    return window_.view();
  }

  /// The unit that the last sentence begins, if any: the stretch or, in an uncompressed file, a
  /// unit of it. Reading can start again there.
  const UnitBegin* unit() const { return is_first_ ? &first_unit_ : reader_->unit(); }

  /// True if the file is compressed; examines it only once.
  bool is_compressed();

  std::uint64_t bytes_read() const { return window_.bytes_read(); }  ///< decompressed
  std::uint64_t line_feeds() const { return line_feeds_; }           ///< of the stretch, so far
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
  bool any_sentence_;                         // some reader has returned one
  bool is_first_ = false;                     // the last sentence is the first of the stretch
  std::optional<bool> compressed_;            // set once it has been determined
  std::shared_ptr<const Document> document_;  // set if the file is one document
  std::unique_ptr<FormatReader> reader_;
};

}  // namespace elmo
