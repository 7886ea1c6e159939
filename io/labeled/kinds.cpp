#include "io/labeled/kinds.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "core/tasks/kinds.h"
#include "core/tasks/srl/role_labeler.h"
#include "io/labeled/coref/coref_examples.h"
#include "io/labeled/coref/coref_writer.h"
#include "io/labeled/label_writer.h"
#include "io/labeled/qa/answer_writer.h"
#include "io/labeled/qa/question_examples.h"
#include "io/labeled/srl/frame_examples.h"
#include "io/labeled/srl/frame_writer.h"

namespace elmo {
namespace {

/// A kind that is fully described by its shape: labels of tokens, texts or pairs.
template <TaskKind kind>
TaskFileKind label_files() {
  return {kind,
          false,
          !task_kind(kind).shape.token_labels,
          [](const ExampleInput& input, LabelSet& labels) {
            return open_label_examples(input, task_kind(kind).shape, labels);
          },
          [](SentenceSource& sentences) {
            return examples_of_sentences(sentences, task_kind(kind).shape.texts);
          },
          [](const WriterOptions& options) -> std::unique_ptr<PredictionWriter> {
            return std::make_unique<LabelWriter>(task_kind(kind).shape, options.format,
                                                 options.labels, options.column);
          }};
}

TaskFileKind qa_files() {
  return {
      TaskKind::qa, true,
      true,         [](const ExampleInput& input, LabelSet&) { return open_qa_examples(input); },
      nullptr,      [](const WriterOptions& options) { return qa_writer(options.format); }};
}

TaskFileKind srl_files() {
  return {
      TaskKind::srl,
      true,
      false,
      [](const ExampleInput& input, LabelSet& labels) { return open_srl_examples(input, labels); },
      [](SentenceSource& sentences) {
        return examples_of_sentences(sentences, 1, {kFindPredicates});
      },
      [](const WriterOptions& options) { return srl_writer(options.format, options.labels); }};
}

TaskFileKind coref_files() {
  return {TaskKind::coref,
          true,
          true,
          [](const ExampleInput& input, LabelSet& labels) {
            return open_coref_examples(input, labels);
          },
          coref_examples_of_text,
          [](const WriterOptions& options) { return coref_writer(options.format); }};
}

}  // namespace

const TaskFileKind& task_file_kind(TaskKind kind) {
  static const std::array kinds = {label_files<TaskKind::tag>(),
                                   label_files<TaskKind::classify>(),
                                   label_files<TaskKind::pair>(),
                                   qa_files(),
                                   srl_files(),
                                   coref_files()};
  const auto found = std::ranges::find(kinds, kind, &TaskFileKind::kind);
  if (found == kinds.end()) throw std::logic_error("a kind of task without files");
  return *found;
}

std::unique_ptr<ExampleSource> open_examples(const ExampleInput& input, TaskKind kind,
                                             LabelSet& labels) {
  return task_file_kind(kind).open(input, labels);
}

}  // namespace elmo
