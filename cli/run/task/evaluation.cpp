#include "cli/run/task/evaluation.h"

#include <memory>
#include <span>

#include "cli/numbers/human.h"
#include "cli/run/task/data.h"
#include "core/error.h"
#include "core/tasks/common/spans.h"
#include "core/tasks/kinds.h"
#include "io/labelled/examples.h"
#include "io/labelled/kinds.h"

namespace elmo {
namespace {

void note_unknown(const KnownLabels& known, RunListener& listener) {
  if (known.unknown() == 0) return;
  listener.note(human_count(known.unknown(), "label") + " such as '" + known.first_unknown() +
                "' that the model does not know, counted as wrong");
}

}  // namespace

TaskEvaluationResult evaluate_task(const TaskEvaluationRequest& request,
                                   TaskEvaluationListener& listener) {
  Predictor predictor(request.predictor);
  const TaskDescription& description = predictor.description();
  const TaskKindEntry& kind = task_kind(description.options.kind);
  const bool compares_labels = !task_file_kind(kind.kind).records;
  if (request.differences && !compares_labels) {
    throw RequestError(std::string("--differences is not for models of the kind ") + kind.name);
  }
  if (request.skip_unanswerable && kind.kind != TaskKind::qa) {
    throw RequestError(std::string("--skip-unanswerable is not for models of the kind ") +
                       kind.name);
  }
  LabelSet labels(description.labels);
  const ExampleInput input{
      request.file, request.column, request.locale, true, request.skip_unanswerable, nullptr};
  TaskExamples examples = read_examples(*open_examples(input, kind.kind, labels));
  if (kind.shape.token_labels) {
    prepare_spans(examples, span_scheme(description.labels), labels);
  }
  note_examples(examples, listener);
  if (kind.named_labels) {
    note_unknown(check_labels(examples, labels, description.labels.size()), listener);
  }

  TaskEvaluationResult result{kind.kind, examples.records.size(), {}, {}};
  const std::unique_ptr<TaskScores> scores = kind.scores(description.labels, labels);
  const auto compare_labels = [&](const ExampleGroup& group, const TaskRecord& record,
                                  const TaskPrediction& prediction) {
    const WrongLabels wrong{examples.name, group, kind.shape.token_labels,
                            labels.names_of(record.labels), labels.names_of(prediction.labels)};
    for (std::size_t i = 0; i < wrong.expected.size(); ++i) {
      if (wrong.expected[i] == wrong.predicted[i]) continue;
      ++result.confusions[{wrong.expected[i], wrong.predicted[i]}];
    }
    if (request.differences) listener.differed(wrong);
  };
  KeptExamples kept(examples);
  predictor.run(kept, [&](const ExampleGroup& group, std::span<const TaskPrediction> predictions) {
    for (std::size_t i = 0; i < predictions.size(); ++i) {
      scores->add(group.records[i], predictions[i]);
      if (compares_labels) compare_labels(group, group.records[i], predictions[i]);
    }
  });
  result.figures = scores->figures();
  return result;
}

}  // namespace elmo
