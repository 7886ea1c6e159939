// The models that `elmo task compare` compares, by setting of ELMo, size of the training data and
// seed.
//
// The log of the models that a comparison has trained, so that it can continue.
//
// Trains task models of several settings, sizes of data and seeds.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/task/data.h"
#include "cli/task/train_task.h"
#include "core/tasks/common/task_options.h"
#include "io/fingerprint.h"
#include "io/model/model.h"

namespace elmo {

/// One way to use the layers of a biLM for a task.
struct ComparedSetting {
  std::string name;
  ElmoPlace place = ElmoPlace::none;
  MixOptions mix;
  std::string meaning;  ///< for people
};

/// The settings of tables 2 and 3 of the paper, and a control without context. `mix` has the
/// options that they share, such as λ.
std::vector<ComparedSetting> all_settings(const MixOptions& mix);

/// One trained model.
struct ComparedModel {
  std::string setting;
  double fraction = 1.0;       ///< of the training examples
  std::uint64_t examples = 0;  ///< their number
  std::uint64_t batch = 0;     ///< examples per step
  TaskOutcome outcome;
};

/// The models of all seeds, of one setting at one size.
struct ComparedGroup {
  std::string setting;
  double fraction = 1.0;
  std::uint64_t examples = 0;
  std::uint64_t batch = 0;
  std::vector<TaskOutcome> outcomes;  ///< not empty
};

/// Groups models by setting and size, in the order of their first occurrence.
std::vector<ComparedGroup> grouped(std::span<const ComparedModel> models);

inline constexpr const char* kComparisonLog = "models.jsonl";

/// DIR/models.jsonl, one object per line. One writer at a time.
class ComparisonLog {
 public:
  /// Reads the log, if any. InputError, naming the line, for a line that no comparison wrote.
  explicit ComparisonLog(const std::filesystem::path& folder);

  /// Returns the model of this setting, size and seed; nothing if there is none. InputError if its
  /// fingerprint differs: it was trained on other data or in another way.
  std::optional<ComparedModel> find(const std::string& setting, double fraction, std::uint64_t seed,
                                    const RunFingerprint& fingerprint) const;

  /// Adds a model to the log. SystemError if it cannot be written.
  void add(const ComparedModel& model, const RunFingerprint& fingerprint);

 private:
  struct Entry {
    ComparedModel model;
    std::string fingerprint;  // checksum of it
  };

  std::filesystem::path path_;
  std::vector<Entry> entries_;
};

struct ComparisonRequest {
  TaskRequest task;  ///< the settings replace its `elmo` and `mix`
  std::vector<ComparedSetting> settings;
  /// Parts of the training examples, below 1 and different. Sized settings are trained on each of
  /// them and on all examples.
  std::vector<double> fractions;
};

/// Returns whether a setting is also trained on parts of the data.
inline bool is_sized(const ComparedSetting& setting) {
  return setting.name == "none" || setting.name == "input";
}

/// Receives all models after training, while the output folder is still locked. `metric` is that of
/// the scores.
using Compared = std::function<void(std::span<const ComparedGroup> groups, TaskMetric metric)>;

enum class ComparisonEnd { completed, stopped };

/// Trains all models, one after the other, on activations that are computed once. Outcomes are kept
/// in the folder's log, so that a comparison continues where it stopped; the models are not kept.
/// Errors: as in core and io. Nothing is removed before the folder is locked and the data and the
/// model are read.
ComparisonEnd run_comparison(const ComparisonRequest& request, LoadedModel bilm,
                             TaskRunListener& listener, const Compared& compared,
                             const std::atomic<bool>& stop);

}  // namespace elmo
