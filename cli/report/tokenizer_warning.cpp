#include "cli/report/tokenizer_warning.h"

#include <string>

#include "io/model/tokenizer.h"
#include "io/text/formats/tokenizer_description.h"
#include "io/text/segment/tokenizer.h"

namespace elmo {

void warn_of_tokenizer(const Report& report, const LoadedModel& model, const InputOptions& input) {
  if (!model.tokenizer) return;
  TokenizerDescription used = describe_tokenizer(input);
  // The two differ in where sentences end, not in the tokens.
  const auto by_icu = [](const TokenizerDescription& one) { return one.name.starts_with("icu"); };
  if (by_icu(used) && by_icu(*model.tokenizer)) used.name = model.tokenizer->name;
  const int trained = model.tokenizer->revision;
  if (trained >= kTokensRevision && trained <= kTokenizerRevision) used.revision = trained;
  const std::string difference = tokenizer_difference(*model.tokenizer, used);
  if (difference.empty()) return;
  report.line("warning: the model was trained on tokens of another kind: the text is read with " +
              difference);
}

}  // namespace elmo
