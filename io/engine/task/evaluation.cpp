#include "io/engine/task/evaluation.h"

#include <memory>

#include "core/error.h"
#include "core/tasks/common/spans.h"
#include "core/tasks/role_scores.h"
#include "core/text.h"
#include "io/engine/task/data.h"
#include "io/labeled/examples.h"

namespace elmo {
namespace {

void note_unknown(const KnownLabels& known, RunListener& listener) {
  if (known.unknown() == 0) return;
  listener.note(human_count(known.unknown(), "label") + " such as '" +
                excerpt(known.first_unknown()) +
                "' that the model does not know, counted as wrong");
}

}  // namespace

TaskEvaluationResult evaluate_task(const TaskEvaluationRequest& request, RunListener& listener,
                                   const std::function<void(const WrongLabels&)>& differed) {
  Predictor predictor(request);
  const TaskDescription& description = predictor.description();
  const TaskKind& kind = description.kind->task;
  const bool compares_labels = !kind.shape.records;
  if (request.differences && !kind.named_labels) {
    throw RequestError(Setting{"differences"} + " is not for models of the kind " + kind.name +
                       ", which give no labels");
  }
  LabelSet labels(description.labels);
  const ExampleInput input{.file = request.file,
                           .column = request.column,
                           .table = request.table,
                           .tokenizer = task_tokenizer(request.tokenizer, description),
                           .skip_unanswerable = request.skip_unanswerable};
  TaskExamples examples = read_examples(*open_examples(input, *description.kind, labels));
  if (kind.shape.token_labels) {
    prepare_spans(examples, span_scheme(description.labels), labels);
  }
  note_examples(examples, listener);
  if (kind.named_labels) {
    note_unknown(check_labels(examples, labels, description.labels.size()), listener);
  }

  TaskEvaluationResult result{kind.name, examples.records.size(), {}, {}};
  const std::unique_ptr<TaskScores> scores = kind.scores(description.labels, labels);
  const auto compare_labels = [&](const ExampleGroup& group, const LabelGold& gold,
                                  const LabelPrediction& prediction) {
    const auto* const frames = dynamic_cast<const FrameGold*>(&gold);
    const WrongLabels wrong{
        examples.name,
        group,
        kind.shape.token_labels || !compares_labels,
        frames == nullptr ? std::span<const std::int32_t>() : frames->predicates,
        labels.names_of(gold.labels),
        labels.names_of(prediction.labels)};
    for (std::size_t i = 0; compares_labels && i < wrong.expected.size(); ++i) {
      if (wrong.expected[i] == wrong.predicted[i]) continue;
      ++result.confusions[{wrong.expected[i], wrong.predicted[i]}];
    }
    if (request.differences) differed(wrong);
  };
  predictor.run(*groups_of(examples), [&](const ExampleGroup& group, TaskPredictions predictions) {
    for (std::size_t i = 0; i < predictions.size(); ++i) {
      const TaskRecord& record = group.records[i];
      scores->add(record, *predictions[i]);
      if (!kind.named_labels) continue;
      compare_labels(group, record.gold->as<LabelGold>(), predictions[i]->as<LabelPrediction>());
    }
  });
  result.figures = scores->figures();
  return result;
}

}  // namespace elmo
