// The request to train task models.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/run/features.h"
#include "core/tasks/common/task_options.h"
#include "core/tasks/common/task_plan.h"
#include "core/train/session.h"
#include "io/train/run_folder.h"

namespace elmo {

/// Labeled files, and how they are read.
struct TaskFiles {
  std::string train;
  std::string dev;
  std::string test;                ///< scored once after training; empty: none
  std::string words;               ///< word vectors; empty: trained from random ones
  std::string column;              ///< of CoNLL-U
  TokenizerSettings tokenizer;     ///< of raw text
  bool skip_unanswerable = false;  ///< questions without an answer are left out
};

/// Models of one kind, trained on the same data in the same way.
struct TaskRequest {
  TaskFiles files;
  TaskOptions options;  ///< without the biLM's shape, which its model provides
  TaskPlan plan;        ///< with its learning rate
  SessionOptions session;
  FeatureOptions features;
  std::filesystem::path features_folder;  ///< of the activations; empty: one in `folder`
  /// One model is trained per seed, in its own folder. Empty: one model with the plan's seed.
  std::vector<std::uint64_t> seeds;
  std::filesystem::path folder;  ///< of the run
  ExistingRun existing = ExistingRun::refused;
};

}  // namespace elmo
