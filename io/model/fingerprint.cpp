#include "io/model/fingerprint.h"

#include <span>
#include <string_view>

#include "io/files/checksum.h"
#include "io/model/folder/vocabulary.h"
#include "io/model/published/options.h"

namespace elmo {
namespace {

/// Adds the size as well, so that the boundary between texts matters.
void add(Checksum& checksum, std::string_view text) {
  checksum.add(std::to_string(text.size()) + ":");
  checksum.add(text);
}

}  // namespace

std::string model_fingerprint(const ModelOptions& options, const StoredParameters& parameters,
                              const Vocabulary* vocabulary, const CharDictionary* characters) {
  Checksum checksum;
  add(checksum, options_description(options));
  for (std::size_t i = 0; i < parameters.specs().size(); ++i) {
    const ParameterSpec& spec = parameters.specs()[i];
    add(checksum, spec.name);
    for (const std::int64_t extent : spec.shape) add(checksum, std::to_string(extent));
    parameters.for_each_piece(
        i, [&](std::span<const float> piece) { checksum.add(std::as_bytes(piece)); });
  }
  if (vocabulary != nullptr) add(checksum, vocabulary_text(*vocabulary));
  if (characters != nullptr) {
    for (const std::string& entry : characters->entries()) add(checksum, entry);
  }
  return checksum.hex();
}

}  // namespace elmo
