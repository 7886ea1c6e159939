// What a task model says of sentences, as text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/inference/sentence.h"
#include "core/task/task_model.h"

namespace elmo {

enum class PredictionFormat { columns, conllu, jsonl };

/// Sentences with their labels, one after the other. One thread.
class PredictionText {
 public:
  /// `labels`: the model's. `column`: of CoNLL-U, that holds them; 3 (lemma) to 10 (misc).
  PredictionText(PredictionFormat format, std::vector<std::string> labels, std::size_t column);

  /// - columns: a token and its label a line, with a TAB between them, and a blank line;
  /// - conllu: ten columns, and a blank line;
  /// - jsonl: {"document", "sentence", "line", "tokens", "spans", "labels", "scores"} with each
  ///   label's probability, and, of labels of a span scheme, "entities": [{"type", "begin", "end",
  ///   "span", "score"}] with tokens begin … end − 1, their bytes and the least probability among
  ///   their labels.
  std::string text_of(const Sentence& sentence, const TaskPrediction& prediction);

 private:
  std::string record(const Sentence& sentence, const TaskPrediction& prediction);

  PredictionFormat format_;
  std::vector<std::string> labels_;
  std::size_t column_;
  bool spans_;
  std::uint64_t number_ = 0;  // of the sentence
};

}  // namespace elmo
