#include "io/labeled/texts/labeled_texts.h"

#include <cstddef>
#include <string_view>
#include <utility>

#include "io/labeled/common/json_begin.h"
#include "io/labeled/texts/text_records.h"
#include "io/text/bytes/compression.h"

namespace elmo {

std::unique_ptr<LabeledFile> open_labeled_texts(const LabeledTextInput& input,
                                                std::unique_ptr<ByteSource> bytes) {
  LabeledOpening opening{input.file, FormatOptions(), input.stop, input.labeled,
                         "found no text; expected texts with a label each"};
  opening.format.format = InputFormat::text;
  opening.format.tokenizer = input.tokenizer;
  opening.format.strict = input.strict;
  opening.format.skip_bad_records = input.skip_bad_records;
  const TextRecordShape shape{input.pairs ? std::size_t{2} : std::size_t{1}, input.labeled,
                              input.label_column};
  const auto make_reader = [&](ByteWindow& window,
                               ReadingContext& context) -> std::unique_ptr<LabeledReader> {
    if (without_compression(input.file).ends_with(".jsonl") || begins_with_object(window)) {
      return std::make_unique<TextJsonLines>(window, input.file, context, shape);
    }
    return std::make_unique<TextLines>(window, input.file, context, shape);
  };
  return std::make_unique<LabeledFile>(opening, std::move(bytes), make_reader);
}

}  // namespace elmo
