#include "io/tasks/kinds.h"

#include <algorithm>
#include <array>
#include <utility>

#include "io/files/descriptor.h"
#include "io/labeled/line_conversion.h"
#include "io/tasks/documents.h"
#include "io/tasks/frames.h"
#include "io/tasks/questions.h"
#include "io/tasks/tags.h"
#include "io/tasks/texts.h"
#include "io/text/bytes/encoding.h"
#include "io/text/bytes/file_bytes.h"
#include "io/text/input/input_files.h"

namespace elmo {

std::span<const LabeledKind> labeled_kinds() {
  static const std::array kKinds{labeled_tags(),      labeled_texts(),  labeled_pairs(),
                                 labeled_questions(), labeled_frames(), labeled_documents()};
  return kKinds;
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

TextForm form_of_file(const std::string& file, const LabeledKind& kind) {
  std::unique_ptr<ByteSource> bytes = std::make_unique<MemoryBytes>("");
  if (!can_be_read_only_once(file)) bytes = open_file(file);
  ByteWindow window(lines_of_array(std::move(bytes)));
  return name_errors(file, [&] {
    pass_over_byte_order_mark(window, file);
    return form_of(file, window, kind.format).value_or(TextForm::text);
  });
}

std::unique_ptr<ExampleFile> open_examples(const ExampleInput& input, const LabeledKind& kind,
                                           LabelSet& labels, std::unique_ptr<ByteSource> bytes) {
  return std::make_unique<ExampleFile>(input, kind.task.shape.segments, kind.format, labels,
                                       std::move(bytes));
}

}  // namespace elmo
