// Raw text, lines, lines of tokens and CoNLL-U from any bytes. The first two bytes select the
// format and options.
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "core/error.h"
#include "io/text/input/text_source.h"
#include "tests/fuzz/check_sentences.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace elmo;
  if (size < 2) return 0;
  constexpr std::array kLocales = {"", "de", "en", "fi", "fr", "id", "it", "ja", "ko", "th"};
  constexpr std::array kTokenizers = {TokenizerKind::icu, TokenizerKind::ud, TokenizerKind::moses};
  constexpr std::size_t kMaxSegmented = 4096;
  InputOptions options;
  options.format = std::array{InputFormat::text, InputFormat::text, InputFormat::tokens,
                              InputFormat::conllu}[data[0] % 4];
  options.lines = data[0] % 4 == 1;
  options.tokenizer.kind = kTokenizers[data[1] % kTokenizers.size()];
  options.tokenizer.locale = kLocales[data[1] / kTokenizers.size() % kLocales.size()];
  const bool expand = data[0] / 4 % 4 == 3 && options.tokenizer.kind == TokenizerKind::ud &&
                      has_contractions(options.tokenizer.locale);
  if (expand) options.tokenizer.contractions = ContractionMode::expand;
  options.strict = data[0] / 16 % 8 == 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 2, size - 2);
  const auto source = open_source(options, "input", std::make_unique<MemoryBytes>(text));
  try {
    check_sentences(*source, text.size(), false);
    require(source->counters().bytes == text.size());
    require((source->counters().invalid_sequences == 0) == is_valid(text));
    if (options.format == InputFormat::text && text.size() <= kMaxSegmented) {
      RepairedText repaired;
      repaired.assign(text);
      check_segments(*make_segmenter(options.tokenizer), repaired.text(),
                     options.tokenizer.kind != TokenizerKind::icu);
    }
  } catch (const InputError&) {
    require(options.format == InputFormat::conllu || (options.strict && !is_valid(text)) ||
            is_refused_by_its_beginning(text));
  }
  return 0;
}
