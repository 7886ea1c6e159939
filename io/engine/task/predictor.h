// Runs a trained task model on a stream of examples.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/kernels/precision.h"
#include "core/model/bilm.h"
#include "core/tasks/common/task_model.h"
#include "core/workers.h"
#include "io/engine/model.h"
#include "io/tasks/task_folder.h"
#include "io/text/input/input_options.h"

namespace elmo {

/// The model that predicts, and the computing options.
struct PredictorRequest {
  std::string folder;                                    ///< folder of the task model
  ModelSpec model;                                       ///< the biLM
  std::optional<Precision> precision;                    ///< nothing: float32
  int threads = 0;                                       ///< 0: one per core
  std::span<const LabeledKind> kinds = labeled_kinds();  ///< kinds of models that can be loaded
};

/// Returns the tokenizer of raw text for a task model: the one in `request`, otherwise the training
/// text's. Errors: as named_tokenizer.
TokenizerSettings task_tokenizer(const TokenizerRequest& request,
                                 const TaskDescription& description);

/// A trained task model with its biLM, if it needs one. One thread.
class Predictor {
 public:
  /// Receives each group of examples in the order of the input, with a prediction for each of its
  /// records.
  using Listener = std::function<void(const ExampleGroup& group, TaskPredictions predictions)>;

  /// Errors: as load_task() and load_model(); InputError for another biLM than the task was trained
  /// on; RequestError for a precision if it was trained without a biLM.
  explicit Predictor(const PredictorRequest& request);

  const TaskDescription& description() const { return task_.description; }

  /// Once true, the source must stop waiting for input. Pass it as the `stop` of the input options.
  const std::atomic<bool>& stopping() const { return stopping_; }

  /// Predicts all examples. A separate thread reads them. Calls `pause` after each batch. Before it
  /// waits for the source, the listener has received everything read so far. Errors: as embed(),
  /// the source and the listener.
  void run(
      ExampleSource& source, const Listener& listener, const std::function<void()>& pause = [] {});

 private:
  class Texts;
  class Sink;

  /// A group with the activations of its texts so far.
  struct Embedded {
    ExampleGroup group;
    std::vector<std::vector<float>> activations;  // [texts]
  };

  void run_with_bilm(ExampleSource& source, const Listener& listener,
                     const std::function<void()>& pause);
  void run_without_bilm(ExampleSource& source, const Listener& listener,
                        const std::function<void()>& pause);
  void predict(std::span<Embedded> groups, const Listener& listener);

  const PredictorRequest& request_;
  LoadedTask task_;
  std::optional<Bilm> bilm_;
  Workers workers_;
  std::atomic<bool> stopping_ = false;
};

}  // namespace elmo
