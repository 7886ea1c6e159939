#include "io/text/formats/raw_text_reader.h"

#include <utility>

#include "io/text/formats/free_text_reader.h"
#include "io/text/formats/line_reader.h"

namespace elmo {

std::unique_ptr<FormatReader> make_raw_text_reader(ByteWindow& window, const std::string& name,
                                                   std::shared_ptr<const Document> document,
                                                   ReadingContext& context,
                                                   const TextStretch& stretch) {
  if (context.options.lines) {
    return std::make_unique<LineReader>(LineTokens::segmented, window, name, std::move(document),
                                        context, stretch);
  }
  return std::make_unique<FreeTextReader>(window, name, std::move(document), context, stretch);
}

}  // namespace elmo
