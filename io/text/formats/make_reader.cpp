#include "io/text/formats/make_reader.h"

#include <utility>

#include "io/text/formats/conllu_reader.h"
#include "io/text/formats/jsonl_reader.h"
#include "io/text/formats/line_reader.h"
#include "io/text/formats/raw_text_reader.h"

namespace elmo {

std::unique_ptr<FormatReader> make_format_reader(ByteWindow& window, const std::string& name,
                                                 std::shared_ptr<const Document> document,
                                                 ReadingContext& context,
                                                 const TextStretch& stretch) {
  switch (context.options.format) {
    case InputFormat::text:
      return make_raw_text_reader(window, name, std::move(document), context, stretch);
    case InputFormat::tokens:
      return std::make_unique<LineReader>(LineTokens::white_space, window, name,
                                          std::move(document), context, stretch);
    case InputFormat::jsonl:
      return std::make_unique<JsonlReader>(window, name, context, stretch);
    case InputFormat::conllu:
      return std::make_unique<ConlluReader>(window, name, context);
  }
  return nullptr;
}

}  // namespace elmo
