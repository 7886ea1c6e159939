// What `elmo train` and `elmo finetune` were asked to do, as far as they have it in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/train/training_options.h"
#include "io/dtype.h"
#include "io/text/text_source.h"
#include "io/train/corpus_vocabulary.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace elmo {

struct TrainFlags {
  InputOptions input;
  std::string valid;             ///< file or folder, read as `input` is
  std::string output;            ///< the run's folder
  Dtype dtype = Dtype::float32;  ///< of the model and the softmax as they are saved

  std::string vocabulary;  ///< file; empty: counted from the corpus within `limits`
  VocabularyLimits limits;

  /// Sizes of the plan, learning rate and threads are set when the run knows its corpus.
  TrainingOptions training;
  std::uint64_t steps = 0;     ///< of the plan; 0: `epochs` decide
  float epochs = 10.0F;        ///< times the corpus is gone through
  float learning_rate = 0.0F;  ///< 0: the optimiser's default
  std::optional<std::uint64_t> warmup_steps;
  std::optional<std::uint64_t> softmax_steps;  ///< that train a new softmax under a given biLM

  std::uint64_t max_steps = 0;         ///< of this process; 0: any number
  float max_minutes = 0.0F;            ///< of this process; 0: any time
  std::uint64_t checkpoint_steps = 0;  ///< between checkpoints; 0: `checkpoint_seconds` decide
  double checkpoint_seconds = 600.0;
  std::size_t keep = 2;                ///< checkpoints
  std::uint64_t valid_every = 1000;    ///< steps
  std::uint64_t valid_tokens = 50000;  ///< of the validation text, at intervals

  bool resume = false;
  bool overwrite = false;
  bool plot = false;
  bool quiet = false;
};

/// Registers the flags that both commands have; `flags`, whose number of epochs is told as the
/// default, has to outlive `app`'s parsing.
void add_train_flags(CLI::App* app, TrainFlags& flags);

/// An option that takes a number of steps, which may be 0.
CLI::Option* add_steps(CLI::App* app, const std::string& name, std::optional<std::uint64_t>& steps,
                       const std::string& help);

/// RequestError for what the options together cannot mean.
void check_train_flags(const CLI::App& app, const TrainFlags& flags);

}  // namespace elmo
