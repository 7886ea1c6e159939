// Any bytes read as options.json are either a valid model, which is the same after writing and
// reading, or refused with an InputError.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/error.h"
#include "core/model/parameters.h"
#include "io/model/options.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  elmo::ModelOptions options;
  try {
    options = elmo::parse_options(text, "options.json").options;
  } catch (const elmo::InputError&) {
    return 0;
  }
  if (!options.char_cnn && options.n_tokens_vocab == 0) options.n_tokens_vocab = 1;
  elmo::parameter_list(options);
  if (elmo::parse_options(elmo::options_text(options), "again").options != options) std::abort();
  return 0;
}
