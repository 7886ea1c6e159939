// JSON Lines from any bytes. The first byte selects the options.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "core/error.h"
#include "io/text/input/text_source.h"
#include "tests/fuzz/check_sentences.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace elmo;
  if (size == 0) return 0;
  InputOptions options;
  options.format = InputFormat::jsonl;
  options.lines = data[0] % 2 == 1;
  options.skip_bad_records = data[0] / 2 % 2 == 1;
  options.strict = data[0] / 4 % 4 == 0;
  options.text_field = data[0] / 16 % 2 == 1 ? "id" : "text";
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto source = open_source(options, "input", std::make_unique<MemoryBytes>(text));
  try {
    // A replacement character of three bytes may replace one byte of the record.
    check_sentences(*source, 3 * text.size(), true);
  } catch (const InputError&) {
    require(options.strict || !options.skip_bad_records || is_refused_by_its_beginning(text));
  }
  return 0;
}
