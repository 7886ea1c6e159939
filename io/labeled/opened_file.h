// An open file of labeled data, which may begin with JSON.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "io/labeled/example_source.h"
#include "io/text/bytes/byte_order_mark.h"
#include "io/text/bytes/byte_stream.h"
#include "io/text/bytes/file_bytes.h"
#include "io/text/formats/format_reader.h"

namespace elmo {

/// Wraps the source of a file's bytes; empty: no wrapper.
using BytesThrough = std::function<std::unique_ptr<ByteSource>(std::unique_ptr<ByteSource>)>;

/// The bytes of a file after its byte order mark, and the context of its readers. Must not move.
/// One thread at a time.
struct OpenedFile {
  /// `bytes`, if given, are the content of the file, which is then not opened or decompressed.
  /// `stop`: see ReadState::stop. Errors: as open_file. If the format is strict, reading invalid
  /// UTF-8 from the window throws InputError.
  OpenedFile(std::string file, const FormatOptions& format, const std::atomic<bool>* stop,
             std::unique_ptr<ByteSource> bytes, const BytesThrough& through = {})
      : name(std::move(file)),
        state{stop},
        context(format),
        window(checked(bytes ? std::move(bytes) : open(through))) {
    pass_over_byte_order_mark(window, name);
  }
  OpenedFile(const OpenedFile&) = delete;
  OpenedFile& operator=(const OpenedFile&) = delete;

  std::string name;  ///< as in error messages
  ReadState state;
  ReadingContext context;
  std::uint64_t invalid_sequences = 0;  ///< of UTF-8, including what was read ahead
  ByteWindow window;

 private:
  std::unique_ptr<ByteSource> checked(std::unique_ptr<ByteSource> bytes);
  std::unique_ptr<ByteSource> open(const BytesThrough& through) {
    std::unique_ptr<ByteSource> bytes = open_file(name, &state);
    return through ? through(std::move(bytes)) : std::move(bytes);
  }
};

/// Counters except ExampleCounters::without_gold.
inline ExampleCounters counters_of(const OpenedFile& file) {
  return {file.context.counters.bad_records, 0, file.invalid_sequences};
}

/// True if the first byte of the window's first 64 KiB that is not white space begins a JSON
/// object. One thread.
bool begins_with_object(ByteWindow& window);

}  // namespace elmo
