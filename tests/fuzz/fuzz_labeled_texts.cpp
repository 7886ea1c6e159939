// Labeled texts and pairs of texts from any bytes. The first byte chooses what is read.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "core/error.h"
#include "io/labeled/labeled_texts.h"
#include "tests/fuzz/check_sentences.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace elmo;
  if (size == 0) return 0;
  LabeledTextInput input;
  input.file = data[0] / 4 % 2 == 1 ? "input.jsonl" : "input";
  input.pairs = data[0] % 2 == 1;
  input.labeled = data[0] / 2 % 2 == 1;
  input.strict = data[0] / 8 % 2 == 1;
  input.skip_bad_records = data[0] / 16 % 2 == 1;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    const auto source = open_labeled_texts(input, std::make_unique<MemoryBytes>(text));
    LabeledSentence labeled;
    for (std::size_t texts = 1; source->next(labeled); ++texts) {
      require(labeled.labels.size() == (input.labeled ? 1U : 0U));
      require(!input.labeled || labeled.sentence.size() > 0);
      require(labeled.sentence.spans().size() == labeled.sentence.size());
      require(texts <= 2 * text.size());
    }
  } catch (const InputError&) {
  }
  return 0;
}
