// Reading and writing of examples for each kind of task.
//
// Kinds whose examples are labeled tokens, texts or pairs of texts share readers and LabelWriter;
// each other kind has its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/inference/sentence.h"
#include "core/tasks/common/labels.h"
#include "core/tasks/common/task_kind.h"
#include "core/tasks/common/task_model.h"
#include "core/tasks/common/task_options.h"
#include "io/labeled/example_source.h"
#include "io/labeled/examples.h"

namespace elmo {

/// Formats examples with their labels, one after another. One thread.
class LabelWriter final : public PredictionWriter {
 public:
  /// `labels`: the model's. `column`: column of CoNLL-U for the labels, 3 (lemma) to 10 (misc).
  /// RequestError for a format that the shape does not support.
  LabelWriter(const ExampleShape& shape, PredictionFormat format, std::vector<std::string> labels,
              std::size_t column);

  /// For sentences with labeled tokens:
  /// - columns: one line per token, with a TAB between token and label, then a blank line;
  /// - conllu: ten columns, then a blank line;
  /// - jsonl: {"document", "sentence", "line", "tokens", "spans", "labels", "scores"}, with each
  ///   label's probability in "scores". Labels of a span scheme add "entities": [{"type", "begin",
  ///   "end", "span", "score"}], with tokens begin … end − 1, their bytes, and the minimum
  ///   probability of their labels.
  /// For a text or a pair of texts:
  /// - columns: the label and the tokens of each text, joined by spaces, with TABs between;
  /// - jsonl: {"document", "sentence", "line", "tokens", "spans", "label", "score"}, with the
  ///   label's probability in "score"; for a pair, "tokens1", "spans1", "tokens2", "spans2".
  /// If a text has no token, the line is blank, or "label" and "score" are null.
  std::string text_of(const ExampleGroup& group,
                      std::span<const TaskPrediction> predictions) override;

  /// The model's labels with these numbers.
  std::vector<std::string> names_of(std::span<const std::int32_t> labels) const;

 private:
  std::string labeled_tokens(const Sentence& sentence, const TaskPrediction& prediction) const;
  std::string labeled_texts(const std::vector<Sentence>& texts,
                            const TaskPrediction& prediction) const;
  std::string token_record(const Sentence& sentence, const TaskPrediction& prediction) const;
  std::string text_record(const std::vector<Sentence>& texts,
                          const TaskPrediction& prediction) const;
  const std::string& name(std::int32_t label) const {
    return labels_[static_cast<std::size_t>(label)];
  }

  ExampleShape shape_;
  PredictionFormat format_;
  std::vector<std::string> labels_;
  std::size_t column_;
  bool spans_;
  std::uint64_t number_ = 0;  // index of the example
};

/// How to write predictions.
struct WriterOptions {
  PredictionFormat format = PredictionFormat::jsonl;
  std::vector<std::string> labels;  ///< of the model
  std::size_t column = 4;           ///< column of CoNLL-U for the labels
};

/// Opens a file of examples of a kind. `labels` numbers their labels and receives new ones; it must
/// outlive the source. Errors: InputError naming the file; as the kind's reader.
std::unique_ptr<ExampleSource> open_examples(const ExampleInput& input, TaskKind kind,
                                             LabelSet& labels);

/// False if examples of the kind need more than text.
bool reads_text(TaskKind kind);

/// Examples of a kind that reads_text(). `sentences` must outlive them.
std::unique_ptr<ExampleSource> examples_of_text(SentenceSource& sentences, TaskKind kind);

/// RequestError for a format that the kind does not support.
std::unique_ptr<PredictionWriter> prediction_writer(TaskKind kind, const WriterOptions& options);

}  // namespace elmo
