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
#include <vector>

#include "io/files/descriptor.h"

namespace elmo {

/// Means over the steps since the record before.
struct TrainingRecord {
  std::uint64_t step = 0;    ///< steps done, the last one of the means included
  std::uint64_t tokens = 0;  ///< predicted so far, in each direction
  double loss_forward = 0.0;
  double loss_backward = 0.0;
  float learning_rate = 0.0F;  ///< of the last step
  double gradient_norm = 0.0;
  double seconds = 0.0;  ///< of the run so far, those of the processes before included
};

/// Perplexities by the full softmax.
struct ValidationRecord {
  std::uint64_t step = 0;
  std::uint64_t tokens = 0;  ///< of the validation text that were predicted
  double forward = 0.0;
  double backward = 0.0;
  double average = 0.0;
  double seconds = 0.0;  ///< as TrainingRecord
};

struct MetricsRecords {
  std::vector<TrainingRecord> training;
  std::vector<ValidationRecord> validation;
};

/// The records of a file, which may end in a line that is not whole: that one is left out. Keys
/// that are not known are passed over. InputError naming file and line where it holds something
/// else, or cannot be opened.
MetricsRecords read_progress(const std::filesystem::path& path);

/// Adds records to a file. One thread.
class MetricsLog {
 public:
  /// Keeps of the file's records those of steps up to `last_step` and drops the others; makes the
  /// file where it is missing. Errors: SystemError, and those of read_progress.
  MetricsLog(const std::filesystem::path& path, std::uint64_t last_step);

  /// SystemError where the system refuses.
  void add(const TrainingRecord& record);
  void add(const ValidationRecord& record);

  /// Waits until the records are on the disk. SystemError.
  void sync() const;

  const MetricsRecords& records() const { return records_; }  ///< kept and added

 private:
  void append(const std::string& line);

  std::filesystem::path path_;
  Descriptor descriptor_;
  MetricsRecords records_;
};

}  // namespace elmo
