// A file of labeled data that is open.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "io/labeled/common/example_source.h"
#include "io/text/bytes/byte_order_mark.h"
#include "io/text/bytes/byte_source.h"
#include "io/text/bytes/byte_window.h"
#include "io/text/bytes/file_bytes.h"
#include "io/text/formats/reading_context.h"

namespace elmo {

/// What the file's bytes go through as they are read; empty: nothing.
using BytesThrough = std::function<std::unique_ptr<ByteSource>(std::unique_ptr<ByteSource>)>;

/// The bytes of a file behind its byte order mark, and what its readers work with. Stays where it
/// is. One thread at a time.
struct OpenedFile {
  /// `bytes`, if given, are those of the file, which else is opened and decompressed. `stop`: as
  /// Waiting::stop. Errors: as open_file; where the format is strict, the window's bytes are an
  /// InputError where they are not UTF-8.
  OpenedFile(std::string file, const FormatOptions& format, const std::atomic<bool>* stop,
             std::unique_ptr<ByteSource> bytes, const BytesThrough& through = {})
      : name(std::move(file)),
        waiting{stop},
        context(format),
        window(checked(bytes ? std::move(bytes) : open(through))) {
    pass_over_byte_order_mark(window, name);
  }
  OpenedFile(const OpenedFile&) = delete;
  OpenedFile& operator=(const OpenedFile&) = delete;

  std::string name;  ///< as errors have it
  Waiting waiting;
  std::atomic<std::uint64_t> bytes_read = 0;
  ReadingContext context;
  std::uint64_t invalid_sequences = 0;  ///< of UTF-8, as far as read ahead
  ByteWindow window;

 private:
  std::unique_ptr<ByteSource> checked(std::unique_ptr<ByteSource> bytes);
  std::unique_ptr<ByteSource> open(const BytesThrough& through) {
    std::unique_ptr<ByteSource> bytes = open_file(name, bytes_read, waiting);
    return through ? through(std::move(bytes)) : std::move(bytes);
  }
};

/// Without the records that have no gold label.
inline ExampleCounters counters_of(const OpenedFile& file) {
  return {file.context.counters.bad_records, 0, file.invalid_sequences};
}

}  // namespace elmo
