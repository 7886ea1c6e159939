#include "cli/report/tokenizer_warning.h"

#include <string>

#include "io/model/tokenizer.h"

namespace elmo {

void warn_of_tokenizer(const Report& report, const LoadedModel& model, const InputOptions& input) {
  if (!model.tokenizer) return;
  const std::string difference = tokenizer_difference(*model.tokenizer, describe_tokenizer(input));
  if (difference.empty()) return;
  report.line("warning: the model was trained on tokens of another kind: the text is read with " +
              difference);
}

}  // namespace elmo
