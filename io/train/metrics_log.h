// How a training run went, as JSON lines: one object every few steps, one for each validation.
//
//     {"step": 20, "tokens": 51200, "loss_forward": 6.1, "loss_backward": 6.2,
//      "learning_rate": 0.001, "gradient_norm": 0.8, "seconds": 9.5}
//     {"step": 1000, "valid_tokens": 50000, "valid_forward": 210.5, "valid_backward": 215.9,
//      "valid_perplexity": 213.2, "seconds": 480.1}
//
// Numbers are spelled so that they read back as the same ones; those that are not finite are null.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/train/bilm/metrics.h"
#include "io/files/descriptor.h"

namespace elmo {

struct MetricsRecords {
  std::vector<TrainingRecord> training;
  std::vector<ValidationRecord> validation;
};

/// The records of a file, which may end in a line that is not whole: that one is left out. Keys
/// that are not known are passed over. InputError naming file and line where it holds something
/// else, or cannot be opened.
MetricsRecords read_progress(const std::filesystem::path& path);

/// Adds records to a file. One thread.
class MetricsLog final : public MetricsSink {
 public:
  explicit MetricsLog(std::filesystem::path path) : path_(std::move(path)) {}

  /// Drops the file's records of steps after `last_step`; makes the file where it is missing.
  /// Errors: SystemError, and those of read_progress.
  std::optional<ValidationRecord> begin(std::uint64_t last_step) override;

  /// SystemError where the system refuses.
  void add(const TrainingRecord& record) override;
  void add(const ValidationRecord& record) override;

  /// Waits until the records are on the disk. SystemError.
  void sync() override;

  const MetricsRecords& records() const { return records_; }  ///< kept and added

 private:
  void append(const std::string& line);

  std::filesystem::path path_;
  Descriptor descriptor_;
  MetricsRecords records_;
};

}  // namespace elmo
