// The request to train task models, as `elmo task train` and `elmo task compare` make it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/tasks/common/task_kind.h"
#include "core/tasks/common/task_options.h"
#include "core/tasks/kinds.h"
#include "core/train/session.h"
#include "io/engine/features.h"
#include "io/engine/request.h"
#include "io/model/model.h"
#include "io/text/input/input_options.h"

namespace elmo {

/// Models of one kind, trained on the same data in the same way.
struct TaskRequest {
  std::string train;  ///< labeled files, like the next two
  std::string dev;
  std::string test;                  ///< scored once after training; empty: none
  std::string column = "upos";       ///< of CoNLL-U
  TokenizerRequest tokenizer;        ///< of raw text
  TokenizerSettings text_tokenizer;  ///< set by task_bilm
  bool skip_unanswerable = false;    ///< questions without an answer are left out
  std::string words;                 ///< file of word vectors; empty: trained from random ones
  bool train_words = false;          ///< train the vectors of the file

  TaskOptions options;  ///< without the biLM's shape, which its model provides
  TaskPlan plan;        ///< with its learning rate
  SessionOptions session{.checkpoint_seconds = 60.0};
  FeatureOptions features;  ///< of the biLM; default folder: `features` in `output`
  /// One model is trained per seed, in its own folder. Empty: one model with the plan's seed.
  std::vector<std::uint64_t> seeds;

  std::string output;  ///< folder of the run
  bool resume = false;
  bool overwrite = false;
  bool plot = false;
  bool quiet = false;
  bool dry_run = false;
  bool json = false;

  GivenOptions given;

  std::vector<std::uint64_t> all_seeds() const;
};

/// Throws RequestError for options that are missing or cannot be combined.
void validate(const TaskRequest& request);

/// The part of validate() about options that have no effect on the kind of task.
void check_kind(const TaskRequest& request);

/// Reads the biLM that the options use; nothing if they use none. Sets the tokenizer and whether
/// word vectors are trained. Errors: as load_model and choose_tokenizer; RequestError if the biLM
/// lacks the only layer of the mix.
std::optional<LoadedModel> task_bilm(TaskRequest& request);

/// Returns the names of the kinds for which `holds` is true: "classify, pair".
std::string names_of_kinds(const std::function<bool(const TaskKindEntry&)>& holds);

}  // namespace elmo
