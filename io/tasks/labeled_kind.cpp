#include "io/tasks/labeled_kind.h"

#include <algorithm>

#include "core/error.h"

namespace elmo {

void check_labels_format(PredictionFormat format) {
  if (format != PredictionFormat::squad) return;
  throw RequestError("the model gives labels, which the format squad cannot hold");
}

std::string column_text(std::string text) {
  std::ranges::replace_if(
      text, [](char byte) { return byte == '\t' || byte == '\n' || byte == '\r'; }, '_');
  return text;
}

void check_format(const char* predictions, std::initializer_list<PredictionFormat> formats,
                  PredictionFormat format) {
  if (std::ranges::find(formats, format) != formats.end()) return;
  throw RequestError(std::string(predictions) + "; found " +
                     std::string(kPredictionFormats.word(format)));
}

const KindForm* LabeledKind::find(TextForm form) const {
  const auto found = std::ranges::find(forms, form, &KindForm::form);
  return found == forms.end() ? nullptr : &*found;
}

}  // namespace elmo
