// Predictions of a task model as text.
#pragma once

#include <span>
#include <string>

#include "core/enum_table.h"
#include "core/tasks/common/task_model.h"
#include "io/labeled/common/example_source.h"

namespace elmo {

/// squad: one object of JSON, {id: answer}, as SQuAD's own scorer reads it.
enum class PredictionFormat { columns, conllu, jsonl, squad };

inline constexpr auto kPredictionFormats =
    enum_table<PredictionFormat>({{"columns", PredictionFormat::columns},
                                  {"conllu", PredictionFormat::conllu},
                                  {"jsonl", PredictionFormat::jsonl},
                                  {"squad", PredictionFormat::squad}});

/// Groups of examples with their predictions, one after the other. One thread.
class PredictionWriter {
 public:
  virtual ~PredictionWriter() = default;

  /// Of a group, with a prediction for each of its records.
  virtual std::string text_of(const ExampleGroup& group,
                              std::span<const TaskPrediction> predictions) = 0;

  /// What stands behind the last group.
  virtual std::string end() { return {}; }
};

}  // namespace elmo
