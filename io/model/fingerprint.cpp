#include "io/model/fingerprint.h"

#include <xxhash.h>

#include <memory>
#include <new>
#include <string_view>

#include "io/model/options.h"
#include "io/model/vocabulary.h"

namespace elmo {
namespace {

/// XXH3-128 of a sequence of texts; where one ends and the next begins matters.
class Hash {
 public:
  Hash() : state_(XXH3_createState()) {
    if (state_ == nullptr) throw std::bad_alloc();
    XXH3_128bits_reset(state_.get());
  }

  void add(std::string_view text) {
    const std::string length = std::to_string(text.size()) + ":";
    XXH3_128bits_update(state_.get(), length.data(), length.size());
    XXH3_128bits_update(state_.get(), text.data(), text.size());
  }

  std::string hexadecimal() const {
    XXH128_canonical_t canonical{};
    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(state_.get()));
    std::string text;
    for (const unsigned char byte : canonical.digest) {
      constexpr std::string_view kDigits = "0123456789abcdef";
      text += kDigits[byte >> 4U];
      text += kDigits[byte & 15U];
    }
    return text;
  }

 private:
  struct Free {
    void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
  };
  std::unique_ptr<XXH3_state_t, Free> state_;
};

}  // namespace

std::string model_fingerprint(const ModelOptions& options, const Parameters& parameters,
                              const Vocabulary* vocabulary) {
  Hash hash;
  hash.add(options_text(options));
  for (const Parameter& parameter : parameters.all()) {
    hash.add(parameter.spec.name);
    for (const std::int64_t extent : parameter.spec.shape) hash.add(std::to_string(extent));
    hash.add({reinterpret_cast<const char*>(parameter.values.data()),
              parameter.values.size() * sizeof(float)});
  }
  if (vocabulary != nullptr) hash.add(vocabulary_text(*vocabulary));
  return hash.hexadecimal();
}

}  // namespace elmo
