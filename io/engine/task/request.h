// The request to train task models, as `elmo task train` and `elmo task compare` make it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/tasks/common/task_kind.h"
#include "core/tasks/common/task_options.h"
#include "core/train/session.h"
#include "io/engine/features.h"
#include "io/labeled/kinds.h"
#include "io/text/input/input_options.h"

namespace elmo {

/// Models of one kind, trained on the same data in the same way.
struct TaskRequest {
  const LabeledKind* kind = labeled_kind("tag");
  std::string train;  ///< labeled files, like the next two
  std::string dev;
  std::string test;                ///< scored once after training; empty: none
  std::string column = "upos";     ///< CoNLL-U: the column with the labels
  TableNames table;                ///< tables of texts: the columns to read
  TokenizerRequest tokenizer;      ///< tokenizer of raw text
  bool skip_unanswerable = false;  ///< questions without an answer are left out
  std::string words;               ///< file of word vectors; empty: trained from random ones
  bool train_words = false;        ///< train the vectors of the file

  /// Lacks the biLM's shape, which the biLM provides, and `train_words`.
  TaskOptions options;
  TaskPlan plan;  ///< includes the learning rate
  SessionOptions session{.checkpoint_seconds = 60.0};
  FeatureOptions features;  ///< features of the biLM; default folder: `features` in `output`
  /// One model is trained per seed, in its own folder. Empty: one model with the plan's seed.
  std::vector<std::uint64_t> seeds;

  std::string output;  ///< folder of the run
  bool resume = false;
  bool overwrite = false;

  bool uses_bilm() const { return options.elmo != ElmoPlace::none; }
  std::vector<std::uint64_t> all_seeds() const {
    return seeds.empty() ? std::vector{plan.seed} : seeds;
  }
};

}  // namespace elmo
