#include "io/labeled/kinds.h"

#include <utility>

#include "core/tasks/kinds.h"
#include "core/tasks/role_labeler.h"
#include "io/labeled/coref_examples.h"
#include "io/labeled/examples.h"
#include "io/labeled/frame_examples.h"
#include "io/labeled/question_examples.h"
#include "io/labeled/text_examples.h"
#include "io/labeled/token_examples.h"

namespace elmo {
namespace {

constexpr const char* kNoToken = "found no token; expected sentences with a label for each token";
constexpr const char* kNoText = "found no text; expected texts with a label each";
constexpr const char* kNoFrame =
    "found no frame; expected sentences with the frames of their predicates";

ExampleFormat format_of(TaskKind kind) {
  switch (kind) {
    case TaskKind::tag:
      return {kNoToken, kNoToken, make_token_reader};
    case TaskKind::classify:
      return {kNoText, kNoText, make_text_reader};
    case TaskKind::pair:
      return {kNoText, kNoText, make_pair_reader};
    case TaskKind::qa:
      return {nullptr, nullptr, make_question_reader};
    case TaskKind::srl:
      return {kNoFrame, kNoFrame, make_frame_reader};
    case TaskKind::coref:
      return {"found no document; expected documents with their clusters",
              "found no cluster in any document; expected clusters of mentions", make_coref_reader};
  }
  return {};
}

}  // namespace

std::unique_ptr<ExampleFile> open_examples(const ExampleInput& input, TaskKind kind,
                                           LabelSet& labels, std::unique_ptr<ByteSource> bytes) {
  return std::make_unique<ExampleFile>(input, task_kind(kind).shape.segments, format_of(kind),
                                       labels, std::move(bytes));
}

bool reads_text(TaskKind kind) { return kind != TaskKind::qa; }

std::unique_ptr<ExampleSource> examples_of_text(SentenceSource& sentences, TaskKind kind) {
  switch (kind) {
    case TaskKind::srl:
      return examples_of_sentences(sentences, 1, {kFindPredicates});
    case TaskKind::coref:
      return coref_examples_of_text(sentences);
    default:
      return examples_of_sentences(sentences, task_kind(kind).shape.texts);
  }
}

}  // namespace elmo
