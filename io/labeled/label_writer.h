// Formats labels of sentences, texts and pairs of texts as text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/inference/sentence.h"
#include "core/tasks/common/task_kind.h"
#include "core/tasks/common/task_model.h"
#include "io/labeled/common/prediction_writer.h"

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

}  // namespace elmo
