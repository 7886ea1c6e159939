// Raw text, as sentences or as lines.
#pragma once

#include <memory>
#include <string>

#include "io/text/bytes/byte_window.h"
#include "io/text/formats/format_reader.h"

namespace elmo {

/// The reader of raw text as `context.options.lines` says, for a file, a stretch of one, or a
/// record's text. `window` and `context` outlive it; `name` is for errors.
std::unique_ptr<FormatReader> make_raw_text_reader(ByteWindow& window, const std::string& name,
                                                   std::shared_ptr<const Document> document,
                                                   ReadingContext& context,
                                                   const TextStretch& stretch = {});

}  // namespace elmo
