// A small tagging task that is learned quickly without a biLM.
#pragma once

#include <string>

#include "io/engine/listener.h"
#include "io/engine/task/train.h"
#include "tests/fixtures/files.h"
#include "tests/fixtures/temp_dir.h"

namespace elmo {

inline const std::string kTagged = "the\tDET\nrain\tNOUN\nfalls\tVERB\n\nthe\tDET\nsea\tNOUN\n";

/// Returns a request with data and output in `folder`.
inline TaskRequest small_task(const TempDir& folder) {
  std::string text;
  for (int i = 0; i < 20; ++i) text += kTagged + "\n";
  write_file(folder / "train.tsv", text);
  write_file(folder / "dev.tsv", kTagged);
  TaskRequest request;
  request.train = (folder / "train.tsv").string();
  request.dev = (folder / "dev.tsv").string();
  request.output = (folder / "run").string();
  request.options.elmo = ElmoPlace::none;
  request.options.hidden = 8;
  request.options.word_columns = 8;
  request.options.character_filters = 0;
  request.options.dropout = 0.0F;
  request.plan.rate = 0.05F;
  request.plan.min_steps = 20;
  request.plan.evaluations = 4;
  request.features.threads = 1;
  return request;
}

class SilentTaskListener final : public TaskListener {
 public:
  void model_begins(const std::filesystem::path&, const TaskMetric&) override { ++models; }
  int models = 0;
};

/// Trains the models of the request.
inline std::optional<TaskResult> train_small_task(const TaskRequest& request) {
  RunListener listener;
  SilentTaskListener sessions;
  return train_tasks(request, {listener, sessions, kNeverStop});
}

}  // namespace elmo
