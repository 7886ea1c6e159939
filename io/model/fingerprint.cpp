#include "io/model/fingerprint.h"

#include <span>
#include <string_view>

#include "io/files/checksum.h"
#include "io/model/folder/vocabulary.h"
#include "io/model/published/options.h"

namespace elmo {
namespace {

/// Where one text ends and the next begins matters.
void add(Checksum& checksum, std::string_view text) {
  checksum.add(std::to_string(text.size()) + ":");
  checksum.add(text);
}

}  // namespace

std::string model_fingerprint(const ModelOptions& options, const Parameters& parameters,
                              const Vocabulary* vocabulary, const CharDictionary* characters) {
  Checksum checksum;
  add(checksum, options_description(options));
  for (const ModelParameter& parameter : parameters.all()) {
    add(checksum, parameter.name);
    for (const std::int64_t extent : parameter.shape) add(checksum, std::to_string(extent));
    checksum.add(std::as_bytes(std::span<const float>(parameter.values)));
  }
  if (vocabulary != nullptr) add(checksum, vocabulary_text(*vocabulary));
  if (characters != nullptr) {
    for (const std::string& entry : characters->entries()) add(checksum, entry);
  }
  return checksum.hex();
}

}  // namespace elmo
