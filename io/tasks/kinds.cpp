#include "io/tasks/kinds.h"

#include <algorithm>
#include <utility>

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

std::span<const LabeledKind> labeled_kinds() {
  static const std::array all{labeled_tags(),      labeled_texts(),  labeled_pairs(),
                              labeled_questions(), labeled_frames(), labeled_documents()};
  return all;
}

const LabeledKind* labeled_kind(std::string_view name, std::span<const LabeledKind> kinds) {
  const auto found = std::ranges::find_if(
      kinds, [name](const LabeledKind& kind) { return kind.task.name == name; });
  return found == kinds.end() ? nullptr : &*found;
}

std::string names_of_kinds(const std::function<bool(const LabeledKind&)>& holds) {
  std::string names;
  for (const LabeledKind& kind : labeled_kinds()) {
    if (holds(kind)) names.append(names.empty() ? "" : ", ").append(kind.task.name);
  }
  return names;
}

std::unique_ptr<ExampleFile> open_examples(const ExampleInput& input, const LabeledKind& kind,
                                           LabelSet& labels, std::unique_ptr<ByteSource> bytes) {
  return std::make_unique<ExampleFile>(input, kind.task.shape.segments, kind.format, labels,
                                       std::move(bytes));
}

}  // namespace elmo
