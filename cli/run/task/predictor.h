// A trained task model over a stream of sentences.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/run/model_request.h"
#include "core/inference/sink.h"
#include "core/inference/source.h"
#include "core/kernels/precision.h"
#include "core/model/bilm.h"
#include "core/parallel/workers.h"
#include "core/tasks/common/task_model.h"
#include "io/labelled/task/task_folder.h"

namespace elmo {

/// Which model predicts, and how.
struct PredictorRequest {
  std::string folder;  ///< of the task
  ModelRequest model;  ///< the biLM
  Precision precision = Precision::float32;
  int threads = 0;  ///< 0: one a core
};

/// The model of a folder with its biLM, if it needs one. One thread.
class Predictor {
 public:
  /// Is given each example's sentences, two of a pair, and what the model says of them, in the
  /// order of the input. Where one is without tokens nothing is said.
  using Listener =
      std::function<void(std::span<const Sentence* const> texts, const TaskPrediction&)>;

  /// Errors: as load_task() and load_model(); InputError for a biLM that is not the one that the
  /// task was trained on.
  explicit Predictor(const PredictorRequest& request);

  const TaskDescription& description() const { return task_.description; }

  /// Predicts all sentences; those of a pair come one after the other. `pause` is called when all
  /// that was read so far was listened to, as it is before the source is waited for. Errors: as
  /// embed(), the source and the listener.
  void run(
      SentenceSource& source, const Listener& listener, const std::function<void()>& pause = [] {});

 private:
  class Sink;

  struct Text {
    const Sentence* sentence;
    std::span<const float> activations;
  };

  void predict(std::span<const Sentence> sentences, std::span<const float> activations,
               const Listener& listener);
  void predict_examples(std::span<const Text> texts, const Listener& listener);

  const PredictorRequest& request_;
  LoadedTask task_;
  std::optional<Bilm> bilm_;
  Workers workers_;
  std::size_t texts_of_example_;
  std::vector<TaskPrediction> predictions_;
  // The first of a pair whose second has not come yet.
  std::optional<Sentence> first_;
  std::vector<float> first_activations_;
};

}  // namespace elmo
