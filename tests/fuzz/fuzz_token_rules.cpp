// Rule files from any bytes, and the tokens of a fixed text by their rules. The first byte chooses
// the language. The processor time has a bound for each byte.
#include <array>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <string>
#include <string_view>

#include "core/error.h"
#include "io/text/segment/segmenter.h"
#include "tests/fuzz/check_sentences.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace elmo;
  if (size == 0) return 0;
  constexpr std::array kLocales = {"", "en", "de", "ko", "th"};
  static const std::string text =
      "Dr. A's a'b don't e.g. (a.b) 80 000 3. Mai :-) ((a)) 1/2 x@y.z http://a.b/c. C-d_e, \"Ja!\" "
      "l'on ''x'' --- a--b ... U.S. [6] a.B \u0e01\u0e32\u0e23 \u6771\u4eac\u3002 \uac00\uc694 "
      "e\u0301 "
      "\u200d\u1000 \U0001f468\u200d\U0001f469 #a @b \u2019s abababababababababababababab";
  TokenizerSettings settings;
  settings.kind = TokenizerKind::file;
  settings.locale = kLocales[data[0] % kLocales.size()];
  settings.rules.assign(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::clock_t begin = std::clock();
  try {
    const auto segmenter = make_segmenter(settings);
    check_segments(*segmenter, text, true);
  } catch (const InputError& error) {
    require(std::string_view(error.what()).find(": line ") != std::string_view::npos);
  }
  // With sanitizers, reading takes about a microsecond for each byte.
  constexpr double kSeconds = 0.5;
  constexpr double kSecondsPerByte = 2e-5;
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  require(seconds <= kSeconds + kSecondsPerByte * static_cast<double>(size));
  return 0;
}
