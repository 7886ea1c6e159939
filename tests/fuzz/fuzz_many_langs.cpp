// Any bytes read as a dictionary or an architecture of ELMoForManyLangs are either accepted, with
// every key in its row, or refused with an InputError. The first byte selects which.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/model/characters.h"
#include "core/model/parameters.h"
#include "core/model/vocabulary.h"
#include "io/model/many_langs.h"
#include "tests/fuzz/may_be_refused.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  elmo::may_be_refused([&] {
    if (data[0] % 3 == 0) {
      elmo::parameter_list(elmo::parse_architecture(text, "architecture.json"));
      return;
    }
    std::vector<std::string> keys = elmo::parse_dictionary(text, "word.dic");
    const std::size_t rows = keys.size();
    if (data[0] % 3 == 1) {
      const elmo::Vocabulary words(std::move(keys), {"<bos>", "<eos>", "<oov>", true});
      for (std::size_t row = 0; row < rows; ++row) {
        const auto number = static_cast<std::int64_t>(row);
        if (words.row(words.word(number)) != number) std::abort();
      }
      return;
    }
    const elmo::CharDictionary characters(std::move(keys),
                                          {"<bos>", "<eos>", "<eow>", "<bow>", "<pad>", "<oov>"});
    std::vector<std::int32_t> ids(50);
    if (characters.ids(text, ids) > ids.size()) std::abort();
    for (const std::int32_t id : ids) {
      if (id < 0 || id >= characters.size()) std::abort();
    }
  });
  return 0;
}
