// Raw text, read as sentences or as lines.
#pragma once

#include <memory>
#include <string>

#include "io/text/bytes/byte_window.h"
#include "io/text/formats/format_reader.h"

namespace elmo {

/// Returns the reader of raw text that `context.options.lines` selects, for a file, a stretch of
/// one, or a record's text. `window` and `context` must outlive it; `name` is used in errors.
std::unique_ptr<FormatReader> make_raw_text_reader(ByteWindow& window, const std::string& name,
                                                   std::shared_ptr<const Document> document,
                                                   ReadingContext& context,
                                                   const TextStretch& stretch = {});

}  // namespace elmo
