// Creates the reader of a format.
#pragma once

#include <memory>
#include <string>

#include "io/text/bytes/byte_window.h"
#include "io/text/formats/format_reader.h"

namespace elmo {

/// True if each file is one document.
inline bool is_file_a_document(InputFormat format) {
  return format == InputFormat::text || format == InputFormat::tokens;
}

/// Returns the reader of `context.options.format` for a file, or a stretch of one, that is not
/// empty. `window` and `context` must outlive it. `name` is used in errors and for documents
/// without an id. `document` is the file's document if the file is one.
std::unique_ptr<FormatReader> make_format_reader(ByteWindow& window, const std::string& name,
                                                 std::shared_ptr<const Document> document,
                                                 ReadingContext& context,
                                                 const TextStretch& stretch);

}  // namespace elmo
