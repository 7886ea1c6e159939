#include "core/inference/selecting_source.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace elmo {

bool SelectingSource::next(Sentence& sentence) {
  if (!source_.next(sentence)) return false;
  std::vector<std::uint32_t> kept;  // often empty, which takes no memory
  for (std::size_t token = 0; token < sentence.size(); ++token) {
    if (chosen_(sentence.token(token))) kept.push_back(static_cast<std::uint32_t>(token));
  }
  sentence.keep(std::move(kept));
  return true;
}

}  // namespace elmo
