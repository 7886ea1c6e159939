// Log of a training run as JSON Lines: one object every few steps, and one for each validation.
//
//     {"step": 20, "tokens": 51200, "loss_forward": 6.1, "loss_backward": 6.2,
//      "learning_rate": 0.001, "gradient_norm": 0.8, "seconds": 9.5}
//     {"step": 1000, "valid_tokens": 50000, "valid_forward": 210.5, "valid_backward": 215.9,
//      "valid_perplexity": 213.2, "seconds": 480.1}
//
// Numbers are written so that reading restores them exactly; non-finite ones are null.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/train/bilm/bilm_learner.h"
#include "io/files/descriptor.h"

namespace elmo {

/// The records of a log, in the order of their steps.
struct MetricsRecords {
  std::vector<TrainingRecord> training;
  std::vector<ValidationRecord> validation;
};

/// Reads the records of a file. An incomplete last line is ignored, as are unknown keys.
/// InputError, naming file and line, if the file contains something else or cannot be opened.
MetricsRecords read_progress(const std::filesystem::path& path);

/// Appends records to a file. One thread.
class MetricsLog final : public MetricsSink {
 public:
  explicit MetricsLog(std::filesystem::path path) : path_(std::move(path)) {}

  /// Drops the file's records of steps after `last_step`. Creates the file if missing. Errors:
  /// SystemError; otherwise as read_progress.
  std::optional<ValidationRecord> begin(std::uint64_t last_step) override;

  /// SystemError if writing fails.
  void add(const TrainingRecord& record) override;
  void add(const ValidationRecord& record) override;

  /// Returns once the records are on disk. SystemError.
  void sync() override;

  const MetricsRecords& records() const { return records_; }  ///< remaining and added records

 private:
  void append(const std::string& line);

  std::filesystem::path path_;
  Descriptor descriptor_;
  MetricsRecords records_;
};

}  // namespace elmo
