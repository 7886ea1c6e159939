#include "cli/task/evaluation.h"

#include <memory>
#include <span>

#include "cli/common/human.h"
#include "cli/task/data.h"
#include "core/error.h"
#include "core/tasks/common/spans.h"
#include "core/tasks/kinds.h"
#include "io/labeled/examples.h"
#include "io/labeled/kinds.h"

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
  const bool compares_labels = !kind.shape.records;
  if (request.differences && !kind.named_labels) {
    throw RequestError(std::string("--differences is not for models of the kind ") + kind.name +
                       ", which give no labels");
  }
  const auto only_for = [&kind](const char* option, bool given, bool allowed) {
    if (!given || allowed) return;
    throw RequestError(std::string(option) + " has no effect on data of the kind " + kind.name);
  };
  only_for("--column", request.column.has_value(), kind.shape.token_labels);
  only_for("--skip-unanswerable", request.skip_unanswerable, kind.kind == TaskKind::qa);
  const bool segments = kind.shape.segments;
  only_for("--tokenizer", !request.tokenizer.tokenizer.empty(), segments);
  only_for("--locale", !request.tokenizer.locale.empty(), segments);
  LabelSet labels(description.labels);
  ExampleInput input;
  input.file = request.file;
  if (request.column) input.column = *request.column;
  input.tokenizer = task_tokenizer(request.tokenizer, description);
  input.skip_unanswerable = request.skip_unanswerable;
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
    const std::span<const std::int32_t> predicates =
        compares_labels ? std::span<const std::int32_t>() : record.given;
    const WrongLabels wrong{examples.name,
                            group,
                            kind.shape.token_labels || !compares_labels,
                            predicates,
                            labels.names_of(record.labels),
                            labels.names_of(prediction.labels)};
    for (std::size_t i = 0; compares_labels && i < wrong.expected.size(); ++i) {
      if (wrong.expected[i] == wrong.predicted[i]) continue;
      ++result.confusions[{wrong.expected[i], wrong.predicted[i]}];
    }
    if (request.differences) listener.differed(wrong);
  };
  KeptExamples kept(examples);
  predictor.run(kept, [&](const ExampleGroup& group, std::span<const TaskPrediction> predictions) {
    for (std::size_t i = 0; i < predictions.size(); ++i) {
      scores->add(group.records[i], predictions[i]);
      if (kind.named_labels) compare_labels(group, group.records[i], predictions[i]);
    }
  });
  result.figures = scores->figures();
  return result;
}

}  // namespace elmo
