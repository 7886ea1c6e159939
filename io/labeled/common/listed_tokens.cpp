#include "io/labeled/common/listed_tokens.h"

#include <cstdint>

#include "core/error.h"
#include "io/labeled/common/labeled_reader.h"
#include "io/text/segment/utf8.h"

namespace elmo {

void add_listed_tokens(const std::vector<std::string>& tokens, Sentence& sentence) {
  std::uint64_t begin = 0;
  RepairedText repaired;
  for (const std::string& token : tokens) {
    if (token.empty()) throw InputError("found an empty token; expected words");
    if (token.find('\0') != std::string::npos) {
      throw InputError("found a NUL in a token; expected text");
    }
    repaired.assign(token);
    sentence.add(repaired.text(), {begin, begin + token.size()});
    begin += token.size() + 1;
  }
}

void check_label(const std::string& label) {
  if (label.empty()) throw InputError("found an empty label; expected one that has a name");
  if (label.size() > kMaxLabelBytes) {
    throw InputError("found a label of " + std::to_string(label.size()) +
                     " bytes; expected no more than " + std::to_string(kMaxLabelBytes));
  }
}

}  // namespace elmo
