// Labeled sentences from any bytes. The first byte chooses the format.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "core/error.h"
#include "core/tasks/common/spans.h"
#include "io/labeled/labeled_sentences.h"
#include "tests/fuzz/check_sentences.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace elmo;
  if (size == 0) return 0;
  LabeledInput input;
  input.file = "input";
  input.strict = data[0] / 4 % 2 == 1;
  input.skip_bad_records = data[0] / 8 % 2 == 1;
  switch (data[0] % 4) {
    case 0:
      input.format = LabeledFormat::columns;
      break;
    case 1:
      input.format = LabeledFormat::conllu;
      break;
    case 2:
      input.format = LabeledFormat::jsonl;
      break;
    default:  // detected by content
      break;
  }
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    const auto source = open_labeled(input, std::make_unique<MemoryBytes>(text));
    LabeledSentence labeled;
    while (source->next(labeled)) {
      const Sentence& sentence = labeled.sentence;
      require(labeled.labels.size() == sentence.size());
      require(sentence.document != nullptr && sentence.spans().size() == sentence.size());
      for (std::size_t i = 0; i < sentence.size(); ++i) {
        const std::string_view token = sentence.token(i);
        require(!token.empty() && is_valid(token) && token.find('\0') == std::string_view::npos);
        require(!labeled.labels[i].empty() && is_valid(labeled.labels[i]));
      }
      const auto scheme = span_scheme(labeled.labels);
      if (!scheme) continue;
      const auto spans = spans_of(labeled.labels);
      require(spans_of(convert_spans(labeled.labels, SpanScheme::iob2)) == spans);
      require(spans_of(convert_spans(labeled.labels, SpanScheme::bioes)) == spans);
    }
  } catch (const InputError&) {
  }
  return 0;
}
