// The options that `elmo train` and `elmo finetune` share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/train/bilm/bilm_learner.h"
#include "core/train/bilm/training_options.h"
#include "core/train/session.h"
#include "io/dtype.h"
#include "io/text/source/text_source.h"
#include "io/train/corpus.h"

namespace elmo {

class Option;
class Options;

struct TrainFlags {
  InputOptions input;
  std::string valid;             ///< file or folder, read as `input` is
  std::string output;            ///< the run's folder
  Dtype dtype = Dtype::float32;  ///< of the model and the softmax as they are saved

  std::string vocabulary;  ///< file; empty: counted from the corpus within `limits`
  VocabularyLimits limits;

  TrainingOptions training;  ///< as in TrainingRequest
  PlanRequest plan;
  SessionOptions session;
  ValidationPlan validation;
  float max_minutes = 0.0F;  ///< of this process; 0: unlimited
  std::size_t keep = 2;      ///< checkpoints

  bool resume = false;
  bool overwrite = false;
  bool plot = false;
  bool quiet = false;
  bool dry_run = false;
  bool json = false;  ///< a dry run prints JSON
};

/// Registers the options of both commands. `flags` must outlive the parsing of `app`; its number of
/// epochs is shown as the default. `rates` is shown as the default learning rate.
void add_train_flags(Options app, TrainFlags& flags, const std::string& rates);

/// Adds an option that takes a number of steps, 0 included.
Option add_steps(Options app, const std::string& name, std::optional<std::uint64_t>& steps,
                 const std::string& help);

/// Throws RequestError for options that cannot be combined.
void check_train_flags(const Options& app, const TrainFlags& flags);

}  // namespace elmo
