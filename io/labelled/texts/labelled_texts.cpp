#include "io/labelled/texts/labelled_texts.h"

#include <cstddef>
#include <string_view>
#include <utility>

#include "io/labelled/common/labelled_file.h"
#include "io/labelled/texts/text_records.h"
#include "io/text/bytes/compression.h"

namespace elmo {
namespace {

/// Whether the first thing that is not white space begins a JSON object.
bool begins_like_jsonl(ByteWindow& window) {
  constexpr std::size_t kLookedAt = std::size_t{64} << 10;
  for (std::size_t at = 0; at < kLookedAt && window.fill(at + 1); ++at) {
    const char byte = window.view()[at];
    if (byte != ' ' && byte != '\t' && byte != '\r' && byte != '\n') return byte == '{';
  }
  return false;
}

}  // namespace

std::unique_ptr<LabelledSource> open_labelled_texts(const LabelledTextInput& input,
                                                    std::unique_ptr<ByteSource> bytes) {
  LabelledOpening opening{input.file,
                          {},
                          input.stop,
                          input.labelled,
                          "found no text; expected texts with a label each"};
  opening.format.format = InputFormat::text;
  opening.format.locale = input.locale;
  const TextRecordShape shape{input.pairs ? std::size_t{2} : std::size_t{1}, input.labelled,
                              input.label_column};
  const auto make_reader = [&](ByteWindow& window,
                               ReadingContext& context) -> std::unique_ptr<LabelledReader> {
    if (without_compression(input.file).ends_with(".jsonl") || begins_like_jsonl(window)) {
      return std::make_unique<TextJsonLines>(window, input.file, context, shape);
    }
    return std::make_unique<TextLines>(window, input.file, context, shape);
  };
  return std::make_unique<LabelledFile>(opening, std::move(bytes), make_reader);
}

}  // namespace elmo
