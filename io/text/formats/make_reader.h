// The reader of each format.
#pragma once

#include <memory>
#include <string>

#include "io/text/bytes/byte_window.h"
#include "io/text/formats/format_reader.h"

namespace elmo {

/// Whether a file is one document.
inline bool is_file_a_document(InputFormat format) {
  return format == InputFormat::text || format == InputFormat::tokens;
}

/// The reader of `context.options.format` for a file or a stretch of one, which has text.
/// `window` and `context` outlive it; `name` is for errors and names documents without an id;
/// `document` is the file's where that is one.
std::unique_ptr<FormatReader> make_format_reader(ByteWindow& window, const std::string& name,
                                                 std::shared_ptr<const Document> document,
                                                 ReadingContext& context,
                                                 const TextStretch& stretch);

}  // namespace elmo
