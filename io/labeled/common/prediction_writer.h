// Formats predictions of a task model as text.
#pragma once

#include <span>
#include <string>

#include "core/enum_table.h"
#include "core/tasks/common/task_model.h"
#include "io/labeled/common/example_source.h"

namespace elmo {

/// squad: one JSON object {id: answer}, as read by SQuAD's own scorer.
enum class PredictionFormat { columns, conllu, jsonl, squad };

inline constexpr auto kPredictionFormats =
    enum_table<PredictionFormat>({{"columns", PredictionFormat::columns},
                                  {"conllu", PredictionFormat::conllu},
                                  {"jsonl", PredictionFormat::jsonl},
                                  {"squad", PredictionFormat::squad}});

/// Formats groups of examples with their predictions, one after another. One thread.
class PredictionWriter {
 public:
  virtual ~PredictionWriter() = default;

  /// The text of a group, with one prediction per record.
  virtual std::string text_of(const ExampleGroup& group,
                              std::span<const TaskPrediction> predictions) = 0;

  /// The text after the last group.
  virtual std::string end() { return {}; }
};

}  // namespace elmo
