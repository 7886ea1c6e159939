// FASTA and vertical corpora from any bytes. The first byte selects the format and options.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "core/error.h"
#include "io/text/formats/readers.h"
#include "io/text/input/text_source.h"
#include "tests/fuzz/check_sentences.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace elmo;
  if (size < 1) return 0;
  InputOptions options;
  options.format = data[0] % 2 == 0 ? InputFormat::fasta : InputFormat::vertical;
  options.strict = data[0] / 2 % 8 == 0;
  options.word_column = 1 + data[0] / 16 % 4;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  begins_with_fasta(text);
  begins_with_vertical(text);
  const auto source = open_source(options, "input", std::make_unique<MemoryBytes>(text));
  try {
    check_sentences(*source, text.size(), false);
    require(source->counters().bytes == text.size());
  } catch (const InputError&) {
    // Most texts are neither.
  }
  return 0;
}
